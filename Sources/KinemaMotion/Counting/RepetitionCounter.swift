public import Foundation
public import KinemaCore

/// Counts the repetitions of whatever movement a person repeats, pose by pose.
public struct RepetitionCounter: Sendable {
    /// How many repetitions were reported.
    public private(set) var count = 0

    private var reader: PostureReader
    private var cut = CutDetector()
    private var finder: LoopFinder
    private var judge = LoopJudge()
    private var phase = PhaseSignal()
    private var lastSeen: TimeInterval?
    /// Hears how each loop was judged; for finding out why something was counted or not.
    package var trace: (@Sendable (String) -> Void)?

    /// How far the movement is at the newest pose, for a chart: about 0 where a repetition begins, 1 where it turns.
    ///
    /// It may leave 0...1 a little. Until a movement is known it is the distance from the posture last rested in, torso
    /// lengths. Nil while nobody is seen.
    public var signal: Float? { phase.value }

    /// Counts in pictures of the given width divided by height.
    public init(aspectRatio: Double = 4.0 / 3) {
        reader = PostureReader(aspectRatio: aspectRatio)
        finder = LoopFinder(smoothing: reader.smoothing)
    }

    /// Takes the pose of the next frame, nil when nobody is seen, and returns the repetitions that are now certain.
    public mutating func append(_ pose: Pose?, at time: TimeInterval) -> [Repetition] {
        var done: [Loop] = []
        if let lastSeen, time - lastSeen > 0.5 { done += endSegment() }
        guard let pose, let joints = BodyJoints(pose, aspectRatio: reader.aspectRatio),
            let length = joints.torsoLength
        else {
            phase.pause()
            return report(done)
        }
        lastSeen = time
        if cut.isCut(joints, size: length, at: time) {
            trace?("cut at \(time)")
            done += endSegment()
        }
        guard let posture = reader.read(pose, at: time) else { return report(done) }
        finder.remember(posture)
        if let loop = finder.closedLoop(largerThan: judge.hysteresis) {
            let certain = judge.take(loop, trace: trace)
            if let last = certain.last { finder.beginAnew(at: last.end.time - min(0.1, 0.2 * last.duration)) }
            done += certain
        }
        phase.take(posture, along: judge.way)
        return report(done)
    }

    /// Takes note that the recording ended and returns the repetitions that are now certain.
    public mutating func finish() -> [Repetition] {
        let unfinished = takeUnfinished()
        return report(unfinished + judge.finish(at: lastSeen ?? 0))
    }

    /// How far the repetition under way has come, 0 at its start and 1 at its end; 0 while no set is known.
    var progress: Float {
        judge.typicalAmplitude.map { finder.progress(amplitude: $0) } ?? 0
    }

    private mutating func report(_ done: [Loop]) -> [Repetition] {
        count += done.count
        for loop in done { trace?("REP \(loop)") }
        return done.map { Repetition(start: $0.startTime, end: $0.endTime, confidence: $0.confidence) }
    }

    private mutating func endSegment() -> [Loop] {
        let unfinished = takeUnfinished()
        judge.endSegment(at: lastSeen ?? 0)
        lastSeen = nil
        reader.reset()
        cut.reset()
        finder.reset()
        phase.reset()
        return unfinished
    }

    private mutating func takeUnfinished() -> [Loop] {
        judge.takeUnfinished(
            finder.unfinishedLoops(since: judge.endsOfCandidates, largerThan: judge.hysteresis))
    }
}
