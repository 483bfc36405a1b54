internal import Dispatch
internal import Synchronization

/// Passes elements from one sender to one reader and counts them exactly, by `FrameChannelState`'s rules. Every wait
/// ends when its task is cancelled.
package final class FrameChannel<Element: Sendable>: AsyncSequence, Sendable {
    private typealias Reader = CheckedContinuation<Element?, any Error>
    private typealias State = FrameChannelState<Element, Reader>

    private let state: Mutex<State>
    private let onDrop: @Sendable (Element) -> Void

    /// Makes a channel; it calls `onDrop` with every element that was accepted and will not be read.
    package init(_ policy: FrameChannelPolicy, onDrop: @escaping @Sendable (Element) -> Void = { _ in }) {
        state = Mutex(State(policy))
        self.onDrop = onDrop
    }

    package var tally: FrameTally { state.withLock { $0.tally } }

    // MARK: The sender

    /// Sends an element, and waits for room if the policy is `bounded`; false once the channel has ended.
    package func send(_ element: Element) async throws -> Bool {
        while true {
            try Task.checkCancellation()
            if let isAccepted = offer(element) { return isAccepted }
            await withTaskCancellationHandler {
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    let isWaiting = state.withLock {
                        !Task.isCancelled && $0.waitForRoom { continuation.resume() }
                    }
                    if !isWaiting { continuation.resume() }
                }
            } onCancel: {
                state.withLock { $0.takeSender() }?()
            }
        }
    }

    package func sendBlocking(_ element: Element) -> Bool {
        while true {
            if let isAccepted = offer(element) { return isAccepted }
            let room = DispatchSemaphore(value: 0)
            if state.withLock({ $0.waitForRoom { room.signal() } }) { room.wait() }
        }
    }

    /// Sends an element if there is room, as always under `newest`; nil if there is none, false after the end.
    package func offer(_ element: Element) -> Bool? {
        switch state.withLock({ $0.offer(element) }) {
        case .waits(let overtaken):
            overtaken.map(onDrop)
            return true
        case .delivered(let reader):
            reader.resume(returning: element)
            return true
        case .full: return nil
        case .ended: return false
        }
    }

    package func refuse() { state.withLock { $0.refuse() } }

    /// Ends the channel: waiting elements can still be read, then comes nil or the failure.
    package func finish(_ end: Result<Void, any Error> = .success(())) {
        state.withLock { $0.finish(end) }?.resume(with: end.map { nil })
    }

    /// Ends the channel at once: waiting elements are dropped, and reading throws CancellationError.
    package func cancel() {
        let ended = state.withLock { $0.cancel() }
        ended.reader?.resume(throwing: CancellationError())
        ended.sender?()
        ended.dropped.forEach(onDrop)
    }

    // MARK: The reader

    /// The next element, nil after the last; throws the sender's failure. For one reader.
    package func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, sender) = state.withLock { state in
                    Task.isCancelled ? (.failure(CancellationError()), nil) : state.read(continuation)
                }
                sender?()
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.takeReader() }?.resume(throwing: CancellationError())
        }
    }

    /// Replaces a read element by a newer one and counts it as dropped; the same element if none is newer.
    package func newest(insteadOf element: Element) -> Element {
        guard let newer = state.withLock({ $0.exchange() }) else { return element }
        onDrop(element)
        return newer
    }

    /// Counts an element that was read as dropped: it could not be analysed.
    package func reject() { state.withLock { $0.reject() } }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let channel: FrameChannel

        package mutating func next() async throws -> Element? { try await channel.next() }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(channel: self) }
}
