import Foundation

/// Looks at every frame before it is let in: its order, its time and how many come.
struct FrameGate: Sendable {
    private let limit: Int
    private var last: (sequence: UInt32, time: Double)?
    private var first: Double?
    private var step = 1.0 / 30
    /// How many frames may come at once, by the server's clock.
    private var credit: Double
    private var filled: ContinuousClock.Instant?
    private var warned: ContinuousClock.Instant?

    /// The longest session, seconds: eleven days; beyond it is a clock gone wrong.
    private static let longest = 1e6

    /// Lets so many frames a second in, and as many at once after a pause.
    init(framesPerSecond: Int) {
        limit = max(1, framesPerSecond)
        credit = Double(limit)
    }

    /// What becomes of a frame.
    enum Verdict: Equatable {
        /// It is shown during these microseconds from the session's first frame.
        case pass(Range<Int>)
        /// There are too many; the client is told, though not every time.
        case overflow(isTold: Bool)
        case refused(LiveProblem)
    }

    /// Judges the next frame, which came at a moment of the server's clock.
    mutating func judge(_ frame: FrameMessage, at now: ContinuousClock.Instant) -> Verdict {
        if let last {
            guard frame.sequence > last.sequence, frame.time > last.time else {
                return .refused(
                    LiveProblem(
                        .wrongOrder, "sequence numbers and times of capture have to rise", sequence: frame.sequence))
            }
            step = min(max(frame.time - last.time, 0.001), 1)
        }
        let time = frame.time - (first ?? frame.time)
        guard time < Self.longest else {
            return .refused(LiveProblem(.wrongOrder, "this session is too long; start anew", sequence: frame.sequence))
        }
        first = first ?? frame.time
        last = (frame.sequence, frame.time)
        guard pay(at: now) else {
            let isTold = warned.map { now - $0 >= .seconds(1) } ?? true
            if isTold { warned = now }
            return .overflow(isTold: isTold)
        }
        let start = Int((time * 1e6).rounded())
        return .pass(start..<start + max(1, Int((step * 1e6).rounded())))
    }

    private mutating func pay(at now: ContinuousClock.Instant) -> Bool {
        if let filled { credit = min(Double(limit), credit + (now - filled) / .seconds(1) * Double(limit)) }
        filled = now
        guard credit >= 1 else { return false }
        credit -= 1
        return true
    }
}
