import Synchronization

/// So many at once and no more.
final class Permits: Sendable {
    private let most: Int
    private let taken = Mutex(0)

    init(_ most: Int) { self.most = most }

    /// Takes one, when one is left; whoever takes one gives it back.
    func take() -> Bool {
        taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
    }

    /// Works while holding one; throws the refusal of a busy studio when none is left.
    func during<Result: Sendable>(_ work: sending () async throws -> Result) async throws -> Result {
        guard take() else { throw Refusal.busy }
        defer { giveBack() }
        return try await work()
    }

    func giveBack() {
        taken.withLock { $0 -= 1 }
    }
}
