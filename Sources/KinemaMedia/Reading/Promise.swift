import Synchronization

/// A value that one side provides and one task waits for; only the first value counts.
final class Promise<Value: Sendable>: Sendable {
    private struct State: ~Copyable {
        var result: Result<Value, any Error>?
        var waiter: CheckedContinuation<Value, any Error>?
    }

    private let state = Mutex(State())

    /// Sets the value or the failure, unless one was set before.
    func fulfil(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.waiter.take()
        }
        waiter?.resume(with: result)
    }

    /// The value, once it is set; throws CancellationError as soon as the task is cancelled. For one task.
    var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let known = state.withLock { state -> Result<Value, any Error>? in
                        if state.result == nil { state.waiter = continuation }
                        return state.result
                    }
                    if let known { continuation.resume(with: known) }
                }
            } onCancel: {
                fulfil(.failure(CancellationError()))
            }
        }
    }
}
