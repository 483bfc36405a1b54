import Foundation
import Synchronization

/// Limits simultaneous work and admits tasks in order. The sessions take turns at the models with it, one frame each.
final class FairSemaphore: Sendable {
    private struct State {
        var permits: Int
        var nextID = 0
        var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state: Mutex<State>

    /// By default all cores but one, which is left for the network and a browser on the same machine.
    init(permits: Int = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)) {
        state = Mutex(State(permits: max(1, permits)))
    }

    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Runs the body with a permit; throws `CancellationError` if the task is cancelled while it waits.
    func withPermit<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await acquire()
        defer { release() }
        return try await body()
    }

    private func acquire() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Swift.Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.permits == 0 else {
                        state.permits -= 1
                        return .success(())
                    }
                    state.waiters.append((id, continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).continuation }
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.waiters.isEmpty else {
                state.permits += 1
                return nil
            }
            return state.waiters.removeFirst().continuation
        }
        next?.resume()
    }
}
