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

package enum FrameChannelPolicy: Sendable, Hashable {
    /// The newest element replaces the one that waits: for live sources.
    case newest
    /// The sender waits while this many elements wait: for sources that must lose nothing.
    case bounded(Int)
}

/// The rules of a `FrameChannel`, without locks: each method changes the state and returns the waiters to wake.
struct FrameChannelState<Element, Reader> {
    enum Offer {
        /// It waits; the one it replaced is dropped.
        case waits(overtaken: Element?)
        case delivered(Reader)
        case full, ended
    }

    private(set) var tally = FrameTally()
    private let policy: FrameChannelPolicy
    private var waiting: [Element] = []
    private var reader: Reader?
    /// Wakes the sender, which waits for room.
    private var sender: (@Sendable () -> Void)?
    private var end: Result<Void, any Error>?

    init(_ policy: FrameChannelPolicy) { self.policy = policy }

    private var isFull: Bool {
        if case .bounded(let capacity) = policy { waiting.count >= max(1, capacity) } else { false }
    }

    mutating func offer(_ element: Element) -> Offer {
        guard end == nil else { return .ended }
        guard !isFull else { return .full }
        tally.arrived += 1
        if let reader = takeReader() {
            tally.analysed += 1
            return .delivered(reader)
        }
        let overtaken = policy == .newest ? waiting.popLast() : nil
        if overtaken != nil { tally.dropped += 1 }
        waiting.append(element)
        return .waits(overtaken: overtaken)
    }

    /// Keeps `wake` until there is room; false if there is room now, or never will be.
    mutating func waitForRoom(_ wake: @escaping @Sendable () -> Void) -> Bool {
        guard isFull, end == nil else { return false }
        sender = wake
        return true
    }

    mutating func refuse() {
        tally.arrived += 1
        tally.dropped += 1
    }

    /// Returns the next element and wakes the sender, or keeps the reader until there is one; then the result is nil.
    mutating func read(_ reader: Reader) -> (result: Result<Element?, any Error>?, sender: (@Sendable () -> Void)?) {
        if !waiting.isEmpty {
            tally.analysed += 1
            return (.success(waiting.removeFirst()), takeSender())
        }
        if let end { return (end.map { nil }, nil) }
        self.reader = reader
        return (nil, nil)
    }

    /// A newer element than the one that was read last.
    mutating func exchange() -> Element? {
        guard policy == .newest, let newer = waiting.popLast() else { return nil }
        tally.dropped += 1
        return newer
    }

    mutating func reject() {
        tally.analysed -= 1
        tally.dropped += 1
    }

    mutating func takeReader() -> Reader? { reader.take() }
    mutating func takeSender() -> (@Sendable () -> Void)? { sender.take() }

    mutating func finish(_ end: Result<Void, any Error>) -> Reader? {
        guard self.end == nil else { return nil }
        self.end = end
        return takeReader()
    }

    mutating func cancel() -> (reader: Reader?, sender: (@Sendable () -> Void)?, dropped: [Element]) {
        defer { waiting = [] }
        tally.dropped += waiting.count
        end = .failure(CancellationError())
        return (takeReader(), takeSender(), waiting)
    }
}

/// The number of frames that arrived and what happened to them: `arrived` is `analysed` + `dropped` + those still
/// waiting.
public struct FrameTally: Hashable, Sendable, Codable {
    /// Frames that arrived.
    public internal(set) var arrived = 0
    /// Frames that were passed to the analysis, except those it could not read.
    public internal(set) var analysed = 0
    /// Frames that were replaced, arrived too fast or in the wrong order, were unreadable, or still waited at the end.
    public internal(set) var dropped = 0

    package init() {}

    package static func + (one: FrameTally, other: FrameTally) -> FrameTally {
        var sum = one
        sum.arrived += other.arrived
        sum.analysed += other.analysed
        sum.dropped += other.dropped
        return sum
    }
}
