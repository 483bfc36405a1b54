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
