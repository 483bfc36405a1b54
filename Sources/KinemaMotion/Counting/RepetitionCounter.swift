public import Foundation
public import KinemaCore

/// Counts the repetitions of whatever movement a person repeats, pose by pose.
public struct RepetitionCounter: Sendable {
    /// How many repetitions were reported.
    public private(set) var count = 0

    private var reader: PostureReader
    private var cut = CutDetector()
    private var tracker = PivotTracker()
    private var history: [Posture] = []
    private var judge = LoopJudge()
    private var lastSeen: TimeInterval?
    /// When the last repetition ended; the next one begins later.
    private var baseTime: TimeInterval = 0
    package var trace: (@Sendable (String) -> Void)?

    /// Counts in pictures of the given width divided by height.
    public init(aspectRatio: Double = 4.0 / 3) {
        reader = PostureReader(aspectRatio: aspectRatio)
    }

    /// Takes the pose of the next frame, nil when nobody is seen, and returns the repetitions that are now certain.
    public mutating func append(_ pose: Pose?, at time: TimeInterval) -> [Repetition] {
        var done: [Loop] = []
        if let lastSeen, time - lastSeen > 0.5 { done += endSegment() }
        guard let pose, let joints = BodyJoints(pose, aspectRatio: reader.aspectRatio),
            let length = joints.torsoLength
        else { return report(done) }
        lastSeen = time
        if cut.isCut(joints, size: length, at: time) {
            trace?("cut at \(time)")
            done += endSegment()
        }
        guard let posture = reader.read(pose, at: time) else { return report(done) }
        remember(posture)
        _ = tracker.append(posture, hysteresis: judge.hysteresis)
        if let loop = closedLoop(at: posture) {
            let certain = judge.take(loop, trace: trace)
            if !certain.isEmpty { baseTime = posture.time }
            done += certain
        }
        return report(done)
    }

    /// Takes note that the recording ended and returns the repetitions that are now certain.
    public mutating func finish() -> [Repetition] {
        let unfinished = unfinishedLoop().map { judge.takeUnfinished($0) } ?? []
        return report(unfinished + judge.finish())
    }

    private mutating func report(_ done: [Loop]) -> [Repetition] {
        count += done.count
        for loop in done { trace?("REP \(loop)") }
        return done.map { Repetition(start: $0.startTime, end: $0.endTime, confidence: 1) }
    }

    private mutating func endSegment() -> [Loop] {
        lastSeen = nil
        let unfinished = unfinishedLoop().map { judge.takeUnfinished($0) } ?? []
        reader.reset()
        cut.reset()
        tracker.reset()
        history.removeAll(keepingCapacity: true)
        baseTime = 0
        judge.endSegment(at: 0)
        return unfinished
    }

    private mutating func remember(_ posture: Posture) {
        history.append(posture)
        if history.count > 64, posture.time - history[history.count / 2].time > 15 {
            history.removeFirst(history.count / 2)
        }
    }
}

extension RepetitionCounter {
    /// The loop that the current posture closes, if it closes one and comes to rest or turns there.
    private func closedLoop(at posture: Posture) -> Loop? {
        var best: (amplitude: Float, far: Posture)?
        for far in tracker.pivots.reversed() {
            guard far.time > baseTime, posture.time - far.time < 15 else { break }
            let distance = posture.distance(to: far)
            if distance > judge.hysteresis, 0.7 * distance > best?.amplitude ?? 0 { best = (distance, far) }
        }
        guard let best, let arrival = arrival(of: posture, from: best.far),
            let start = origin(of: posture, before: best.far, amplitude: best.amplitude)
        else { return nil }
        return Loop(
            start: start.posture, far: best.far, end: posture, amplitude: best.amplitude,
            residual: start.posture.distance(to: posture) / best.amplitude, isCutOff: start.isCutOff,
            isComplete: best.amplitude > 0.6 * start.reach, startTime: departure(from: start.posture, to: best.far),
            endTime: arrival)
    }

    private struct Origin {
        var posture: Posture
        var isCutOff: Bool
        /// How far from the far posture the way began.
        var reach: Float
    }

    /// Where the way to the far posture passed the current one last.
    private func origin(of posture: Posture, before far: Posture, amplitude: Float) -> Origin? {
        var best: (distance: Float, index: Int)?
        var reach: Float = 0
        var index = history.count - 1
        while index >= 0, history[index].time >= far.time { index -= 1 }
        while index >= 0, history[index].time >= baseTime, far.time - history[index].time < 15 {
            let distance = history[index].distance(to: posture)
            let fromFar = history[index].distance(to: far)
            if distance < best?.distance ?? .infinity { best = (distance, index) }
            if let best, best.distance < 0.35 * amplitude, distance > best.distance + 0.15 * amplitude,
                fromFar < reach - 0.15 * amplitude
            {
                break
            }
            reach = max(reach, fromFar)
            index -= 1
        }
        guard let best else { return nil }
        let nearest = history[best.index]
        if best.distance < 0.4 * amplitude { return Origin(posture: nearest, isCutOff: false, reach: reach) }
        // The watching began when the movement was under way, or the first one set out from another posture.
        let outbound = nearest.distance(to: far)
        guard baseTime == 0, outbound > 0.4 * amplitude, best.distance + outbound < 1.3 * amplitude else { return nil }
        return Origin(posture: nearest, isCutOff: true, reach: min(reach, amplitude))
    }

    /// The loop that is under way and at least two fifths back.
    private func unfinishedLoop() -> Loop? {
        guard baseTime > 0, let now = history.last, let start = history.first(where: { $0.time >= baseTime }) else {
            return nil
        }
        var best: (amplitude: Float, far: Posture)?
        for far in tracker.pivots where far.time > baseTime {
            let distance = far.distance(to: start)
            if distance > best?.amplitude ?? 0 { best = (distance, far) }
        }
        guard let best, now.progress(from: best.far, towards: start) > 0.4 * best.amplitude else { return nil }
        return Loop(
            start: start, far: best.far, end: now, amplitude: best.amplitude,
            residual: start.distance(to: now) / best.amplitude, isCutOff: true, isComplete: false,
            startTime: departure(from: start, to: best.far), endTime: now.time)
    }

    /// When the way back ends, nil while it is still under way: the speed has dropped to a quarter of its peak.
    private func arrival(of posture: Posture, from far: Posture) -> TimeInterval? {
        var peak: (speed: Float, time: TimeInterval) = (0, posture.time)
        var speed: Float?
        var index = history.count - 1
        while index > 0, history[index].time > far.time {
            var earlier = index - 1
            while earlier > 0, history[index].time - history[earlier].time < 0.09 { earlier -= 1 }
            let interval = Float(history[index].time - history[earlier].time)
            let value =
                (history[index].progress(from: far, towards: posture)
                    - history[earlier].progress(from: far, towards: posture)) / interval
            if speed == nil { speed = value }
            if value > peak.speed { peak = (value, history[index].time) }
            index -= 1
        }
        guard let speed, peak.speed > 0, speed < 0.25 * peak.speed else { return nil }
        // Half a sine wave: the part of the quarter wave since the peak that is still to come.
        let angle = asin(Double(max(0, speed / peak.speed)))
        return posture.time + (posture.time - peak.time) * angle / (Double.pi / 2 - angle) - 0.07
    }

    /// When the movement left the start for the far posture.
    private func departure(from start: Posture, to far: Posture) -> TimeInterval {
        let length = far.distance(to: start)
        var late: TimeInterval?
        for posture in history.reversed() where posture.time <= far.time {
            let progress = posture.progress(from: start, towards: far) / length
            if late == nil, progress < 0.2 { late = posture.time }
            if progress < 0.05 {
                return max(start.time, posture.time - max(0, (late ?? posture.time) - posture.time))
            }
            if posture.time <= start.time { break }
        }
        return start.time
    }
}
