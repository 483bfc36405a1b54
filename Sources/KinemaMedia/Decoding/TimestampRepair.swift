/// Gives every frame a start that is later than the one before it, and an end.
///
/// Stamps that increase are kept exactly. Missing, equal and backward ones are replaced: by the middle of their
/// neighbours or one frame duration after the last, whichever is earlier, so that good stamps after them keep their
/// value. A jump far back (a restarted clock) moves everything after it, once. All numbers are ticks.
struct TimestampRepair<Frame> {
    /// What was repaired, and how often.
    enum Kind: String, CaseIterable, Hashable {
        case missing
        case equal
        case backward
        /// The stream's clock was set back.
        case restarted
    }

    /// A frame with its final place in time.
    struct Placed {
        var frame: Frame
        var range: Range<Int>
    }

    private struct Waiting {
        var frame: Frame
        /// Nil until a later frame tells how much room there is.
        var start: Int?
        var duration: Int?
    }

    private(set) var repairs: [Kind: Int] = [:]
    /// Ticks a frame lasts when nobody says; fractions are kept so that they do not add up to an error.
    private let nominalStep: Double
    /// Added to a stamp to make it count from the first frame; nil until a stamp was seen.
    private var offset: Int?
    /// The last start given, the last one that came from a stamp, and how many were made up since
    /// (-1: not even the first frame has a start).
    private var last = -1
    private var anchor = 0
    private var madeUp = -1
    private var waiting: [Waiting] = []

    /// A clock set back by more frames than this was restarted; decoders reorder by at most 16 frames (H.264, A.3.1).
    private static var restartFrames: Double { 16 }
    /// Stamps beyond this are nonsense, and sums of them would overflow.
    private static var largest: Int { 1 << 60 }

    init(nominalStep: Double) {
        self.nominalStep = nominalStep.isFinite && nominalStep > 0 ? nominalStep : 1
    }

    /// Takes the next frame in display order; returns the frames whose range is known by now.
    mutating func add(_ frame: Frame, stamp: Int?, duration: Int?) -> [Placed] {
        let duration = duration.flatMap { $0 > 0 && $0 < Self.largest ? $0 : nil }
        let start = place(stamp.flatMap { $0.magnitude < Self.largest ? $0 : nil }, duration)
        if let start { settle(before: start) }
        waiting.append(Waiting(frame: frame, start: start, duration: duration))
        if start == nil, waiting.count > 2 { settle(before: nil) }
        return takeKnown()
    }

    /// The rest, at the end of the stream.
    mutating func finish() -> [Placed] {
        settle(before: nil)
        var placed = takeKnown()
        if let final = waiting.popLast(), let start = final.start {
            let length = final.duration ?? max(Int(nominalStep.rounded()), 1)
            placed.append(Placed(frame: final.frame, range: start..<start + max(length, 1)))
        }
        return placed
    }

    /// The frame's start if its stamp is usable, else nil.
    private mutating func place(_ stamp: Int?, _ duration: Int?) -> Int? {
        let unsettled = waiting.filter { $0.start == nil }.count
        guard let stamp else {
            repairs[.missing, default: 0] += 1
            return nil
        }
        let start = stamp + (offset ?? expected(after: unsettled) - stamp)
        offset = start - stamp
        if start > last + unsettled, start < 2 * Self.largest { return start }
        if Double(last - start) > Self.restartFrames * (duration.map(Double.init) ?? nominalStep) {
            repairs[.restarted, default: 0] += 1
            let moved = expected(after: unsettled)
            offset = moved - stamp
            return moved
        }
        repairs[start < last ? .backward : .equal, default: 0] += 1
        return nil
    }

    /// Where a frame would start after this many frames without a start.
    private func expected(after count: Int) -> Int {
        max(anchor + Int((Double(madeUp + count + 1) * nominalStep).rounded()), last + count + 1)
    }

    /// Gives the frames without a start one, before the next known start.
    private mutating func settle(before next: Int?) {
        var remaining = waiting.filter { $0.start == nil }.count
        for index in waiting.indices where waiting[index].start == nil {
            var start = expected(after: 0)
            if let next { start = min(start, last + max((next - last) / (remaining + 1), 1)) }
            waiting[index].start = start
            madeUp += 1
            remaining -= 1
            last = start
        }
        if let next {
            (anchor, madeUp, last) = (next, 0, next)
        }
    }

    /// Takes out the frames whose end is the start of the one after.
    private mutating func takeKnown() -> [Placed] {
        var placed: [Placed] = []
        while waiting.count > 1, let start = waiting[0].start, let end = waiting[1].start {
            placed.append(Placed(frame: waiting.removeFirst().frame, range: start..<end))
        }
        return placed
    }
}
