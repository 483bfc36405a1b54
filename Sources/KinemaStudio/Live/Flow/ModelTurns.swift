import Foundation
import Synchronization

/// Who may use the models: in the order in which they ask.
///
/// A socket asks for one frame at a time, so that all take turns, one frame each.
final class ModelTurns: Sendable {
    private struct State {
        var free: Int
        /// A queue in two stacks, so that neither end costs more than its length once.
        var coming: [CheckedContinuation<Void, Never>] = []
        var going: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Makes turns for so many at once; as many as there are cores but one, which is for all else: receiving, sending,
    /// and the browser, which may be on the same machine.
    init(atOnce: Int = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)) {
        state = Mutex(State(free: max(1, atOnce)))
    }

    /// Does something when it is its turn.
    func take<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        await wait()
        defer { give() }
        return try await body()
    }

    /// How many wait now.
    var waiting: Int { state.withLock { $0.coming.count + $0.going.count } }

    private func wait() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let mayGo = state.withLock { state -> Bool in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.coming.append(continuation)
                return false
            }
            if mayGo { continuation.resume() }
        }
    }

    private func give() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.going.isEmpty {
                state.going = state.coming.reversed()
                state.coming = []
            }
            guard let next = state.going.popLast() else {
                state.free += 1
                return nil
            }
            return next
        }
        next?.resume()
    }
}
