internal import Dispatch
internal import Synchronization

/// Hands frames from the decoding thread to the consumer: the thread waits when `capacity` frames are ahead.
final class FrameChannel<Element: Sendable>: Sendable {
    private enum Waiter {
        case nobody
        case consumer(CheckedContinuation<Element?, any Error>)
    }

    private struct State: ~Copyable {
        var queue: [Element] = []
        var waiter = Waiter.nobody
        /// Nil while frames may still come.
        var end: Result<Void, any Error>?
    }

    private let state = Mutex(State())
    /// Free places in the queue. Made empty and filled, because a semaphore may not be freed below its first value.
    private let places = DispatchSemaphore(value: 0)

    init(capacity: Int) {
        for _ in 0..<max(capacity, 1) { places.signal() }
    }

    /// Waits for a place and puts the element in; false when nobody wants any more.
    func send(_ element: Element) -> Bool {
        places.wait()
        let (accepted, consumer) = state.withLock { state -> (Bool, CheckedContinuation<Element?, any Error>?) in
            guard state.end == nil else { return (false, nil) }
            if case .consumer(let consumer) = state.waiter {
                state.waiter = .nobody
                return (true, consumer)
            }
            state.queue.append(element)
            return (true, nil)
        }
        if let consumer {
            places.signal()
            consumer.resume(returning: element)
        }
        return accepted
    }

    /// No more elements will come; those in the queue are still delivered.
    func finish(_ end: Result<Void, any Error>) {
        close(end, dropping: false)
    }

    /// Nobody will take elements any more: wakes the sender and the consumer, and frees what is queued.
    func cancel() {
        close(.failure(CancellationError()), dropping: true)
        places.signal()
    }

    private func close(_ end: Result<Void, any Error>, dropping: Bool) {
        let (consumer, dropped) = state.withLock { state -> (CheckedContinuation<Element?, any Error>?, [Element]) in
            var dropped: [Element] = []
            if dropping { swap(&dropped, &state.queue) }
            if state.end == nil { state.end = end }
            guard case .consumer(let consumer) = state.waiter else { return (nil, dropped) }
            state.waiter = .nobody
            return (consumer, dropped)
        }
        withExtendedLifetime(dropped) {}
        consumer?.resume(with: end.map { nil })
    }

    /// The next element, nil after the last one; throws what the sender ended with.
    func next() async throws -> Element? {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state -> Result<Element?, any Error>? in
                if !state.queue.isEmpty { return .success(state.queue.removeFirst()) }
                if let end = state.end { return end.map { nil } }
                state.waiter = .consumer(continuation)
                return nil
            }
            guard let outcome else { return }
            if case .success(.some) = outcome { places.signal() }
            continuation.resume(with: outcome)
        }
    }
}
