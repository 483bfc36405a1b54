import Foundation
import KinemaCore

/// Notices that the camera or the person changed from one frame to the next.
///
/// Where poses tell their shot, the picture has decided whether that was a cut. Besides, only what no body can do is one, as
/// when somebody else is taken for the person.
struct CutDetector {
    private var last: (pose: Pose, joints: BodyJoints, time: TimeInterval)?
    /// How far the middle joint usually jumps from frame to frame, torso lengths: what cannot be seen well jitters.
    private var usual: Float = 0

    /// A shorter jump of all but a quarter of the joints changes little even if it is a cut, torso lengths.
    private static let leastJump: Float = 0.1
    /// A cut is so many times farther than the usual jump.
    private static let suddenness: Float = 3
    /// How long the usual jump is remembered, seconds: as long as the swift half of a swift repetition.
    private static let memory: TimeInterval = 0.3
    /// How far half of the joints go at most in one frame, torso lengths, and torso lengths a second besides: no smoothing
    /// of landmarks would let more pass.
    private static let farthest: (Float, speed: Float) = (0.45, 4)

    /// Whether the body cannot have moved so.
    mutating func isCut(_ pose: Pose, _ joints: BodyJoints, size: Float, at time: TimeInterval) -> Bool {
        defer { last = (pose, joints, time) }
        guard let last, size > 0, time > last.time else { return false }
        let jumps = joints.points.indices.filter {
            min(joints.confidences[$0], last.joints.confidences[$0]) > 0.2
        }.map { ((joints.points[$0] - last.joints.points[$0]) / size).length }.sorted()
        guard jumps.count >= 4 else { return false }
        let interval = Float(time - last.time)
        let middle = jumps[jumps.count / 2]
        let isImpossible =
            middle > Self.farthest.0 + Self.farthest.speed * interval && middle > Self.suddenness * usual
        usual += (middle - usual) * min(1, interval / Float(Self.memory))
        let isNewShot = pose.shot.flatMap { shot in last.pose.shot.map { $0 != shot } }
        if isNewShot == true, jumps[jumps.count / 4] > Self.leastJump { return true }
        let isSameBody = isNewShot == false && pose.id != nil && pose.id == last.pose.id
        return isImpossible && !isSameBody
    }

    mutating func reset() {
        last = nil
        usual = 0
    }
}

extension SIMD2<Float> {
    fileprivate var length: Float { (self * self).sum().squareRoot() }
}

/// Follows a movement along one dimension: about 0 where a repetition begins and 1 where it turns.
///
/// Once a way out is known, a posture's place along it is the phase. Until then it is how far the body is from the
/// posture it last rested in, so that a chart shows something from the first frame on.
struct PhaseSignal {
    /// The newest posture's phase, nil while nobody is seen.
    private(set) var value: Float?
    private var rest: Posture?
    /// Where the body was when the present stillness began, if it is still.
    private var still: Posture?

    /// How far from where it rested a body must go to be charted as one whole way, torso lengths: an arm bent.
    private static let wholeWay: Float = 1
    /// A body that stays within this of a posture is still there, torso lengths: twice the jitter of landmarks.
    private static let stillness: Float = 0.15

    /// Takes the next posture and its place on the way of the set under way, if any.
    mutating func take(_ posture: Posture, place: Float?) {
        if let still, still.distance(to: posture) < Self.stillness {
            if posture.time - still.time > 0.7 { rest = posture }
        } else {
            still = posture
        }
        value = place ?? (rest ?? posture).distance(to: posture) / Self.wholeWay
        if rest == nil { rest = posture }
    }

    /// Nobody is seen any more.
    mutating func pause() {
        value = nil
    }

    /// What comes next is another view, in which no posture is known.
    mutating func reset() {
        self = PhaseSignal()
    }
}

/// One way to read the last movements as a set: which loops are its repetitions.
struct SetReading: Comparable {
    /// The repetitions in order of time; at least one.
    private(set) var loops: [Loop]
    /// How much longer the body was where repetitions begin and end than where they turn, seconds.
    private let restSurplus: TimeInterval
    /// What goes on following the set.
    private(set) var tracker: SetTracker
    /// When the body was where repetitions turn before it came to where the first one begins, if it was.
    private(set) var lead: TimeInterval?

    /// Reads postures as the set of which a chain of loops is known; nil when none of them is a repetition of it.
    init?(_ chain: [Loop], of history: [Posture], smoothing: Float, trace: ((String) -> Void)?) {
        guard let set = ExerciseSet(chain) else { return nil }
        var tracker = SetTracker(set, smoothing: smoothing)
        var followed: [Loop] = []
        var rest: TimeInterval = 0
        for (index, posture) in history.enumerated() {
            if let loop = tracker.take(posture, trace: trace) { followed.append(loop) }
            let interval = posture.time - history[max(0, index - 1)].time
            if abs(tracker.place) < Self.nearEnd { rest += interval }
            if abs(tracker.place - 1) < Self.nearEnd { rest -= interval }
        }
        restSurplus = rest
        // What made the set known are repetitions, even if they look different from the others.
        let missed = chain.filter { loop in !followed.contains { $0.overlaps(loop) } }
        loops = (followed + missed.map(set.assessed)).sorted { $0.startTime < $1.startTime }
        self.tracker = tracker
        keepUnbroken(set, in: history, knownSince: chain[0].startTime)
        trace?("reading \(chain.count) from \(chain[0].startTime): \(loops.map(\.startTime))")
        guard let last = loops.last else { return nil }
        lead = leadTime(in: history, tracker.place(of:), set)
        self.tracker.skip(last)
    }

    /// When the body set out, from where repetitions turn, for where the first one begins.
    ///
    /// The way must be much as those of the set are, and the rest after it no longer than two repetitions.
    private func leadTime(
        in history: [Posture], _ place: (Posture) -> Float, _ set: ExerciseSet
    ) -> TimeInterval? {
        let before = history.prefix { $0.time < loops[0].startTime }
        guard let arrival = before.last(where: { place($0) > 1 - SetTracker.far }),
            let peak = before.last(where: { place($0) > SetTracker.far }),
            loops[0].startTime - arrival.time < 2 * set.duration + 1, arrival.time - peak.time < 0.8 * set.duration,
            peak.distance(to: set.far) < Self.sameFar * set.amplitude
        else { return nil }
        return peak.time
    }

    /// How far from where repetitions turn the body may have been, as a share of their way.
    private static let sameFar: Float = 0.4

    /// Keeps the last loops that follow each other without a long pause.
    ///
    /// Before those that made the set known others are doubtful: they must be much like it, and one whose beginning was
    /// not seen must be followed at once.
    private mutating func keepUnbroken(_ set: ExerciseSet, in history: [Posture], knownSince time: TimeInterval) {
        var kept: [Loop] = []
        for loop in loops.reversed() {
            let pause = (kept.last?.startTime ?? loop.endTime) - loop.endTime
            guard pause < max(1.5, 1.5 * set.duration) else { break }
            if loop.endTime < time + 0.5 * loop.duration {
                guard set.unlikeness(of: loop) < Self.clearLikeness, !loop.isCutOff || pause < 0.1 + 0.2 * set.duration
                else { break }
            }
            // Whoever moves when the watching begins may end something else, unless it goes on at once.
            if loop.startTime - history[0].time < 0.1, pause > 0.1 + 0.5 * loop.duration { break }
            kept.append(loop)
        }
        loops = kept.reversed()
    }

    private static let clearLikeness: Float = 0.3

    private static let nearEnd: Float = 0.2
    /// People rest between repetitions rather than in the middle of them; where they do not rest clearly, the reading
    /// that explains more, or the same since earlier, is the better one.
    static func < (one: SetReading, other: SetReading) -> Bool {
        let surplus = other.restSurplus - one.restSurplus
        // What slow turning at either end may make of it is no rest.
        let clear = 0.4 + 0.2 * min(one.tracker.set.duration, other.tracker.set.duration)
        if abs(surplus) > clear, abs(one.loops.count - other.loops.count) < 2 { return surplus > 0 }
        return (one.loops.count, -one.loops[0].startTime) < (other.loops.count, -other.loops[0].startTime)
    }

    static func == (one: SetReading, other: SetReading) -> Bool {
        !(one < other) && !(other < one)
    }
}
