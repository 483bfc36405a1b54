/// Frames between the decoder and whoever reads them, and the one place where they are counted.
///
/// The rule of a live source stands here: the newest frame takes the place of the one that waits. Files never get there,
/// because their decoder waits for room.
struct FrameQueue<Element> {
    /// What happens to a frame that waits when another one comes.
    enum Policy {
        /// Both wait.
        case keepsAll
        /// The older one is dropped.
        case keepsNewest
    }

    let policy: Policy
    private(set) var tally = FrameTally()
    private var waiting: [Element] = []

    init(_ policy: Policy) {
        self.policy = policy
    }

    /// Takes a frame that has come; returns those that are dropped for it.
    mutating func add(_ element: Element) -> [Element] {
        tally.arrived += 1
        let dropped = policy == .keepsNewest ? clear() : []
        waiting.append(element)
        return dropped
    }

    /// Gives the next frame away, if one waits.
    mutating func take() -> Element? {
        guard !waiting.isEmpty else { return nil }
        tally.analysed += 1
        return waiting.removeFirst()
    }

    /// Drops what waits.
    mutating func clear() -> [Element] {
        defer { waiting = [] }
        tally.dropped += waiting.count
        return waiting
    }
}
