internal import Dispatch
internal import Synchronization

/// Hands frames from the decoding thread to the consumer: the thread waits when `capacity` frames are ahead, or, with the
/// policy of live sources, never.
final class FrameChannel<Element: Sendable>: Sendable {
    private typealias Consumer = CheckedContinuation<Element?, any Error>

    private struct State: ~Copyable {
        var queue: FrameQueue<Element>
        var consumer: Consumer?
        /// Nil while frames may still come.
        var end: Result<Void, any Error>?
    }

    private let state: Mutex<State>
    /// Free places in the queue; nil when the sender never waits. Made empty and filled, because a semaphore may not be
    /// freed below its first value.
    private let places: DispatchSemaphore?

    /// A channel whose sender waits for room.
    init(capacity: Int) {
        state = Mutex(State(queue: FrameQueue(.keepsAll)))
        let places = DispatchSemaphore(value: 0)
        for _ in 0..<max(capacity, 1) { places.signal() }
        self.places = places
    }

    /// A channel that keeps only the newest element for a consumer that is behind.
    init(_ policy: FrameQueue<Element>.Policy) {
        state = Mutex(State(queue: FrameQueue(policy)))
        places = nil
    }

    /// How many elements came, were taken, were dropped.
    var tally: FrameTally { state.withLock { $0.queue.tally } }

    /// Waits for a place and puts the element in; false when nobody wants any more.
    func send(_ element: Element) -> Bool {
        places?.wait()
        let (accepted, ready, dropped) = state.withLock { state -> (Bool, (Consumer, Element)?, [Element]) in
            guard state.end == nil else { return (false, nil, []) }
            let dropped = state.queue.add(element)
            guard let consumer = state.consumer, let next = state.queue.take() else { return (true, nil, dropped) }
            state.consumer = nil
            return (true, (consumer, next), dropped)
        }
        // Freed here, outside the lock.
        withExtendedLifetime(dropped) {}
        if let (consumer, next) = ready {
            places?.signal()
            consumer.resume(returning: next)
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
        places?.signal()
    }

    private func close(_ end: Result<Void, any Error>, dropping: Bool) {
        let (consumer, dropped) = state.withLock { state -> (Consumer?, [Element]) in
            let dropped = dropping ? state.queue.clear() : []
            if state.end == nil { state.end = end }
            defer { state.consumer = nil }
            return (state.consumer, dropped)
        }
        withExtendedLifetime(dropped) {}
        consumer?.resume(with: end.map { nil })
    }

    /// The next element, nil after the last one; throws what the sender ended with.
    func next() async throws -> Element? {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state -> Result<Element?, any Error>? in
                if let next = state.queue.take() { return .success(next) }
                if let end = state.end { return end.map { nil } }
                state.consumer = continuation
                return nil
            }
            guard let outcome else { return }
            if case .success(.some) = outcome { places?.signal() }
            continuation.resume(with: outcome)
        }
    }
}
