/// Gives every frame an end, and a start later than the one before.
///
/// Increasing timestamps are kept. Missing, equal and backward ones are replaced: by even spacing up to the next good
/// timestamp or by one frame duration, whichever is earlier. A large backward jump (a restarted clock) shifts
/// everything after it, once. All numbers are ticks.
struct TimestampRepair<Frame> {
    enum Kind: String, CaseIterable, Hashable {
        case missing
        case equal
        case backward
        case restarted
    }

    struct TimedFrame {
        var frame: Frame
        var range: Range<Int>
    }

    private struct PendingFrame {
        var frame: Frame
        /// Nil until a later frame shows how much room there is.
        var start: Int?
        var duration: Int?
    }

    private(set) var repairs: [Kind: Int] = [:]
    /// Ticks a frame lasts by default; fractional, so that rounding errors do not add up.
    private let nominalStep: Double
    /// Added to a timestamp so that it counts from the first frame; nil until the first timestamp.
    private var offset: Int?
    /// The last start, the last from a timestamp, and the count interpolated since (-1: no start yet).
    private var last = -1
    private var anchor = 0
    private var interpolated = -1
    private var pending: [PendingFrame] = []

    /// The frames of a backward jump that means a restart; decoders reorder at most 16 frames (H.264, A.3.1).
    private static var restartFrames: Double { 16 }
    /// Larger timestamps are invalid, and sums of them would overflow.
    private static var largest: Int { 1 << 60 }

    /// Continues elsewhere in the stream: the pending frames are forgotten, later timestamps mean the same times.
    mutating func jump() { (pending, last, anchor, interpolated) = ([], -1, 0, -1) }

    var isRegular: Bool { repairs.isEmpty }
    /// The time of a timestamp, from the first frame; nil before the first timestamp.
    func time(of timestamp: Int) -> Int? { offset.map { timestamp + $0 } }
    /// The timestamp of a time from the first frame; nil before the first timestamp.
    func timestamp(at time: Int) -> Int? { offset.map { time - $0 } }

    init(nominalStep: Double) { self.nominalStep = nominalStep.isFinite && nominalStep > 0 ? nominalStep : 1 }

    /// Adds the next frame in display order; returns the frames whose range is now known.
    mutating func add(_ frame: Frame, timestamp: Int?, duration: Int?) -> [TimedFrame] {
        let duration = duration.flatMap { $0 > 0 && $0 < Self.largest ? $0 : nil }
        let start = usableStart(timestamp.flatMap { $0.magnitude < Self.largest ? $0 : nil }, duration)
        if let start { assignStarts(before: start) }
        pending.append(PendingFrame(frame: frame, start: start, duration: duration))
        if start == nil, pending.count > 2 { assignStarts(before: nil) }
        return removeComplete()
    }

    mutating func finish() -> [TimedFrame] {
        assignStarts(before: nil)
        var frames = removeComplete()
        if let final = pending.popLast(), let start = final.start {
            let length = final.duration ?? max(Int(nominalStep.rounded()), 1)
            frames.append(TimedFrame(frame: final.frame, range: start..<start + max(length, 1)))
        }
        return frames
    }

    private mutating func usableStart(_ timestamp: Int?, _ duration: Int?) -> Int? {
        let missing = pending.filter { $0.start == nil }.count
        guard let timestamp else {
            repairs[.missing, default: 0] += 1
            return nil
        }
        let start = timestamp + (offset ?? expected(after: missing) - timestamp)
        offset = start - timestamp
        if start > last + missing, start < 2 * Self.largest { return start }
        if Double(last - start) > Self.restartFrames * (duration.map(Double.init) ?? nominalStep) {
            repairs[.restarted, default: 0] += 1
            let moved = expected(after: missing)
            offset = moved - timestamp
            return moved
        }
        repairs[start < last ? .backward : .equal, default: 0] += 1
        return nil
    }

    private func expected(after count: Int) -> Int {
        max(anchor + Int((Double(interpolated + count + 1) * nominalStep).rounded()), last + count + 1)
    }

    /// Assigns a start to each frame without one, before the next known start.
    private mutating func assignStarts(before next: Int?) {
        var remaining = pending.filter { $0.start == nil }.count
        for index in pending.indices where pending[index].start == nil {
            var start = expected(after: 0)
            if let next { start = min(start, last + max((next - last) / (remaining + 1), 1)) }
            pending[index].start = start
            interpolated += 1
            remaining -= 1
            last = start
        }
        if let next {
            (anchor, interpolated, last) = (next, 0, next)
        }
    }

    /// Removes and returns the frames whose end is known: the start of the next frame.
    private mutating func removeComplete() -> [TimedFrame] {
        var frames: [TimedFrame] = []
        while pending.count > 1, let start = pending[0].start, let end = pending[1].start {
            frames.append(TimedFrame(frame: pending.removeFirst().frame, range: start..<end))
        }
        return frames
    }
}
