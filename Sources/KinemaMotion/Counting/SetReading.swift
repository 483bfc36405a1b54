import Foundation
import KinemaCore

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
    init?(_ chain: [Loop], of history: [Posture], smoothing: Float) {
        guard let set = ExerciseSet(chain) else { return nil }
        var tracker = SetTracker(set, smoothing: smoothing)
        var followed: [Loop] = []
        var rest: TimeInterval = 0
        for (index, posture) in history.enumerated() {
            if let loop = tracker.take(posture) { followed.append(loop) }
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
