public import Foundation
public import KinemaCore

/// Counts the repetitions of whatever movement a person repeats, pose by pose.
///
/// A repetition leads from the posture the body rests in, or was first seen in, to another one and back. It counts if at
/// least 45 % of the way that is usual in its set, out and back, was seen: this holds for shallow ones, and for the first
/// and the last one if the recording, or a cut, leaves a part of them out. The first of a set is reported as soon as it
/// ends if it is clean and comes out of rest, else together with the second; each further one when two thirds of its way back
/// were seen, with the end that is to be expected. One that stays alone is reported by `finish()`, and only if there was no set
/// and it came out of rest, or is all that was done in a recording of at most half a minute. While something moves that
/// nothing reported explains, the last seconds are looked at together once a second (`WholeCount`), and sets of which three
/// repetitions or more were missed are reported then; `finish()` does the same with the whole. Sides of an alternating
/// movement are counted as `Alternation` says; the first of a set is then reported when it is clear whether it is one half of
/// a pair.
public struct RepetitionCounter: Sendable {
    /// How many repetitions were reported.
    public var count: Int { found.count }

    private var reader: PostureReader
    private var cut = CutDetector()
    private var finder: LoopFinder
    private var sets = SetFinder()
    private var tracker: SetTracker?
    private var phase = PhaseSignal()
    private var lone = SingleRepetitionDetector()
    private var whole: WholeCount
    /// Movements that are not sure enough to be told, and when the last one that was ended.
    private var pending: [Repetition] = []
    private var sureUntil: TimeInterval = -.infinity
    /// Joins or divides the sides of alternating movements.
    private var sides: SideCounter?
    /// How many movements were taken for repetitions or sides, and those of them that were sure.
    private var taken = 0
    private var movements: [Repetition] = []
    /// How long they took together, seconds.
    private var explained: TimeInterval = 0
    /// The reported repetitions and the pass that found each.
    public private(set) var found: [FoundRepetition] = []
    private let configuration = CountingConfiguration()
    /// The shot of the last pose.
    private var shot: Int?
    private var lastSeen: TimeInterval?
    /// What was seen lately, which a cut lets look different.
    private var recent: [Posture] = []
    /// When the last repetition ended.
    private var lastEnd: TimeInterval = -.infinity
    /// How often the picture changed at once.
    package private(set) var cuts = 0

    /// How far the movement is at the newest pose, for a chart: about 0 where a repetition begins, 1 where it turns.
    ///
    /// It may leave 0...1 a little. Until a movement is known it is the distance from the posture last rested in, torso
    /// lengths. Nil while nobody is seen.
    public var signal: Float? { phase.value }

    /// Counts in pictures of the given width divided by height.
    ///
    /// - Parameters:
    ///   - aspectRatio: The pictures' width divided by their height.
    ///   - alternating: How the sides of alternating movements are counted; nil for as they look.
    ///   - explains: Whether every way to count what is seen is kept (`explanations`).
    public init(aspectRatio: Double = 4.0 / 3, alternating: Alternation? = nil, explains: Bool = false) {
        reader = PostureReader(aspectRatio: aspectRatio)
        finder = LoopFinder(smoothing: reader.smoothing)
        whole = WholeCount(explains: explains, alternating: alternating)
        sides = alternating.map(SideCounter.init)
    }

    /// Takes the pose of the next frame, nil when nobody is seen, and returns the repetitions that are now certain.
    public mutating func append(_ pose: Pose?, at time: TimeInterval) -> [Repetition] {
        let new = read(pose, at: time)
        let told = tell(sides == nil ? new : (sides?.take(new) ?? []) + (sides?.wait(until: time) ?? []), .live)
        guard pose != nil, whole.isLookDue(unexplained: time - explained) else { return told }
        defer { whole.planLook(unexplained: time - explained) }
        return told + overlooked()
    }

    /// What the last seconds show beyond what was reported.
    private mutating func overlooked() -> [Repetition] {
        let known = whole.overlooked(told: found.map(\.repetition), movements: movements)
        guard let end = known.added.map(\.end).max() else { return [] }
        explained += known.added.reduce(0) { $0 + $1.duration }
        movements = known.movements
        taken += known.added.count
        pending.removeAll { whole.isAmong(known.added, $0) }
        (lastEnd, sureUntil) = (max(lastEnd, end), max(sureUntil, end))
        return tell(known.added.sorted { $0.start < $1.start }, .live)
    }

    private mutating func read(_ pose: Pose?, at time: TimeInterval) -> [Repetition] {
        var done: [Loop] = []
        let isBreak = lastSeen.map { time - $0 > 0.5 } ?? true
        if lastSeen != nil, isBreak { done += endSegment() }
        guard let pose, let joints = BodyJoints(pose, aspectRatio: reader.aspectRatio),
            let length = joints.torsoLength
        else {
            phase.pause()
            return report(done)
        }
        lastSeen = time
        let isCut = cut.isCut(pose, joints, size: length, at: time)
        let isStretched = JointExtent(pose).fillsPicture
        whole.append(
            joints, isNewShot: isCut && pose.shot != shot, isStretched: isStretched, camera: pose.cameraMotion, at: time
        )
        sides?.append(joints, isBreak: isBreak || isCut, at: time)
        shot = pose.shot
        if isCut {
            cuts += 1
            done += change(to: pose, at: time)
        }
        guard let posture = reader.read(pose, at: time) else { return report(done) }
        remember(posture)
        lone.remember(posture)
        done += take(posture)
        phase.take(posture, place: tracker?.place)
        return report(done)
    }

    private mutating func remember(_ posture: Posture) {
        finder.remember(posture)
        if recent.count > 1, posture.time - recent[recent.count - 2].time < 0.03 { recent.removeLast() }
        recent.append(posture)
        if let first = recent.first, posture.time - first.time > 2 * LoopFinder.longest {
            recent.removeFirst(recent.count / 2)
        }
    }

    /// Takes note that the picture changed at once: what the same body did before is looked at as from the new side.
    private mutating func change(to pose: Pose, at time: TimeInterval) -> [Loop] {
        var fresh = reader
        fresh.reset()
        guard let before = recent.last, let after = fresh.read(pose, at: time),
            let view = ViewChange(from: before, to: after, reader: fresh)
        else { return endSegment() }
        let (past, known) = (recent.map(view.seen), tracker)
        startView()
        sets.beginView(at: time)
        tracker = nil
        // Only what the camera changed in the midst of: what was no set from the old side is none from the new one.
        var found: [Loop] = []
        for posture in past {
            remember(posture)
            let since = sets.found
            let loops = take(posture)
            found = sets.found == since ? found + loops : loops
        }
        tracker?.viewSince = time
        tracker = tracker ?? known?.resumed()
        return found
    }

    /// Nothing of what was seen is known of the view that begins now.
    private mutating func startView() {
        lone.endSegment()
        reader.reset()
        cut.reset()
        finder.reset()
        phase.reset()
        recent = []
    }

    private mutating func take(_ posture: Posture) -> [Loop] {
        if let loop = tracker?.take(posture) {
            // The view may have changed slowly: then it takes a while until the set is recognised.
            let overlooked = accept(sets.loops(before: loop))
            beginAnew(after: loop)
            return overlooked + (tracker?.wasReported == true ? [] : [loop])
        }
        if let loop = tracker?.certain() { return accept(sets.loops(before: loop)) + [loop] }
        guard let loop = finder.closedLoop(largerThan: hysteresis) else { return [] }
        if let set = tracker?.set, set.isShallow(loop) { return [] }
        return follow(sets.take(loop))
    }

    /// Takes loops for repetitions of the set under way that was not recognised in them.
    private mutating func accept(_ loops: [Loop]) -> [Loop] {
        var last = lastEnd
        return loops.compactMap { loop in
            guard loop.startTime > last - 0.2 * loop.duration else { return nil }
            last = loop.endTime
            return tracker?.adopt(loop)
        }
    }

    /// Follows the reading of the last movements that explains most of them, and returns its repetitions.
    private mutating func follow(_ chains: [[Loop]]) -> [Loop] {
        let reversed = chains.map { zip($0, $0.dropFirst()).map(Loop.between) }.filter { !$0.isEmpty }
        let readings = (chains + reversed).compactMap {
            SetReading($0, of: finder.history, smoothing: reader.smoothing)
        }
        guard let best = readings.max(by: <), let last = best.loops.last else { return [] }
        tracker = best.tracker
        if let lead = best.lead, lead > lastEnd { tracker?.owesHalf = true }
        beginAnew(after: last)
        return best.loops
    }

    private mutating func beginAnew(after loop: Loop) {
        sets.beginAnew()
        finder.beginAnew(at: loop.end.time - min(0.1, 0.2 * loop.duration))
    }

    /// The smallest turn of a movement that is looked at, torso lengths: above the jitter of landmarks, and a quarter
    /// of the way in the set under way.
    private var hysteresis: Float { max(0.15, 0.25 * (tracker?.set.amplitude ?? 0)) }

    /// Takes note that the recording ended and returns the repetitions that are now certain.
    public mutating func finish() -> [Repetition] {
        var done = endSegment() + (tracker?.half.map { [$0] } ?? [])
        if let lonely = sets.lonely {
            sets.beginAnew()
            done.append(lonely)
        }
        if taken == 0, done.isEmpty, let movement = lone.repetition(smoothing: reader.smoothing) {
            done.append(movement)
        }
        let new = report(done) + sure(atEnd: true)
        let ended = tell((sides?.take(new) ?? new) + (sides?.finish() ?? []), .live)
        let added = tell(whole.finish(told: found.map(\.repetition), movements: movements), .whole)
        return (ended + added).sorted { $0.start < $1.start }
    }

    private mutating func tell(_ repetitions: [Repetition], _ origin: FoundRepetition.Origin) -> [Repetition] {
        found += repetitions.map { FoundRepetition($0, origin) }
        return repetitions
    }

    /// Every way in which what was seen could be counted, with its evidence; none unless asked for.
    public var explanations: [CycleExplanation] { whole.explanations }

    /// How far the repetition under way has come, 0 at its start and 1 at its end; 0 while no set is known.
    var progress: Float { tracker?.progress ?? 0 }

    private mutating func report(_ loops: [Loop]) -> [Repetition] {
        // After a cut what was seen before is looked at again.
        let done = loops.filter { $0.far.time > lastEnd }
            .map { Repetition(start: $0.startTime, end: $0.endTime, confidence: $0.confidence) }
            .filter { !whole.isAmong(found.suffix(8).map(\.repetition), $0) }
        guard let last = done.last else { return [] }
        taken += done.count
        lastEnd = last.end
        pending += done
        return sure()
    }

    /// Returns the pending movements if they go on with a set that was reported, or if the score supports them, and if it is
    /// not the camera that moves.
    private mutating func sure(atEnd: Bool = false) -> [Repetition] {
        guard let first = pending.first, let last = pending.last else { return [] }
        let goesOn = first.start - sureUntil < configuration.following
        let judged = (goesOn ? movements.suffix(2) : []) + pending
        guard goesOn || isSupported, !whole.isOfCamera(judged, isWithinSet: goesOn) else {
            pending.removeAll { goesOn || atEnd || $0.end < last.end - 2 * configuration.lead }
            return []
        }
        defer { pending = [] }
        sureUntil = last.end
        movements += pending
        explained += pending.reduce(0) { $0 + $1.duration }
        return pending
    }

    /// Whether the score finds the pending movements likely.
    private var isSupported: Bool {
        let support = whole.support(of: pending)
        return support.reduce(0, +) >= configuration.leastSupport * Float(support.count)
    }

    private mutating func endSegment() -> [Loop] {
        var done = takeUnfinished()
        let (wasTracking, half) = (tracker != nil, tracker?.half)
        tracker = tracker?.resumed()
        if tracker == nil, let half { done.append(half) }
        sets.endSegment(at: lastSeen ?? 0, duringSet: wasTracking && tracker == nil)
        lastSeen = nil
        startView()
        return done
    }

    private mutating func takeUnfinished() -> [Loop] {
        if let set = tracker?.set {
            let last = tracker?.finish().map { [$0] } ?? []
            let overlooked = sets.undecided.filter { loop in
                set.contains(loop) && !set.isShallow(loop) && loop.isComplete && !last.contains { $0.overlaps(loop) }
            }
            return accept(overlooked) + last
        }
        let loops = finder.unfinishedLoops(since: sets.endsOfCandidates, largerThan: hysteresis)
        guard let reading = sets.takeUnfinished(loops) else { return [] }
        return follow([reading]) + (tracker?.finish().map { [$0] } ?? [])
    }
}

extension RepetitionCounter {
    /// Whether a body of which only these joints are looked at could be counted at all.
    ///
    /// Asked of the counter's own reading of a body whose joints are all in clear view.
    package static func canCount(joints: Set<JointKey>) -> Bool {
        let points = BodyJoints.keys.enumerated().map { index, key in
            // Anywhere, as long as no two lie together.
            JointPoint(
                key, location: CGPoint(x: 0.3 + 0.03 * Double(index), y: 0.2 + 0.05 * Double(index)),
                confidence: joints.contains(key) ? 1 : 0)
        }
        let pose = Pose(from: Dictionary(points.map { ($0.key, $0) }) { first, _ in first })
        return BodyJoints(pose, aspectRatio: 1)?.torsoLength != nil
    }
}

/// One repetition: the way from a posture to another one and back.
public struct Repetition: Hashable, Sendable, Codable {
    /// When the movement left the starting posture and when it was back, seconds.
    public var start, end: TimeInterval
    /// How sure it is that this was a repetition of an exercise, 0...1.
    public var confidence: Float

    /// Makes a repetition from its beginning and end in seconds and its confidence (0...1).
    public init(start: TimeInterval, end: TimeInterval, confidence: Float) {
        (self.start, self.end, self.confidence) = (start, end, confidence)
    }

    /// How long it took, seconds.
    public var duration: TimeInterval { end - start }
}
