import Foundation
import KinemaCore

/// Detects sets of repetitions in the movement of a body: in the last seconds while it moves, and in all of it at the end.
///
/// Each reading makes many hypotheses, joins them into ways to count the whole, and weighs these against each other
/// (`CountReading`). Repetitions of the believed way that were not reported before are reported then.
struct SetDetector: Sendable {
    private let configuration: CountingConfiguration
    /// What was seen since the last long gap.
    private var seen: [SeenBody] = []
    /// The reported repetitions, each as last revised, and those of the stretches that have ended.
    private var reported: [Repetition] = [], whole: [Repetition] = []
    /// How likely each count of the stretches that have ended is.
    private(set) var posterior = CountPosterior()
    /// The total duration of the reported repetitions, seconds.
    private var explained: TimeInterval = 0
    /// The unexplained time at which the last seconds are read again.
    private var nextReading: TimeInterval = -.infinity
    /// The position in the newest set; nil if no set may still be going on.
    private(set) var phase: SetPhase?
    /// The position for a chart.
    private(set) var curve = MovementCurve()
    /// The body's distance from its last resting posture, body sizes.
    private var rest = RestDistance(), away: Float = 0
    /// Whether every pose was stretched to the picture.
    private var isStretched = false
    private var began: TimeInterval?
    /// The readings of whole stretches; none unless asked for.
    private(set) var readings: [CountReading] = []
    private let explains: Bool

    init(expecting expectation: CountExpectation = .anything, explains: Bool = false) {
        var configuration = CountingConfiguration()
        configuration.expectation = expectation
        (self.configuration, self.explains) = (configuration, explains)
    }

    /// Adds the joints of the next pose and returns the repetitions that became certain.
    mutating func append(
        _ joints: BodyJoints, isAfterCut: Bool, isStretched: Bool = false, camera: SimilarityTransform? = nil,
        at time: TimeInterval
    ) -> [Repetition] {
        var new: [Repetition] = []
        if let last = seen.last, time - last.time > configuration.longestGap || time < last.time {
            new += readAll()
            (seen, phase) = ([], nil)
            (rest, curve) = (RestDistance(), MovementCurve())
        }
        self.isStretched = isStretched && (began == nil || self.isStretched)
        began = began ?? time
        let body = SeenBody(joints, after: seen.last, camera: camera, isAfterCut: isAfterCut, at: time)
        seen.append(body)
        if isAfterCut { (phase, rest) = (nil, RestDistance()) }
        follow(body, joints)
        if let first = seen.first, time - first.time > configuration.memory {
            new += readAll()
            seen.removeFirst(seen.partitioningIndex { time - $0.time < configuration.memory * configuration.again })
        } else if isReadingDue(at: time) {
            let place = phase?.position ?? away
            new += readLatest()
            curve.goOver(from: place, to: phase?.position ?? away)
        }
        return new
    }

    /// Moves on along the set, or away from the last posture of rest.
    private mutating func follow(_ body: SeenBody, _ joints: BodyJoints) {
        let wasAway = away
        away = rest.take(joints, at: body.time)
        if phase == nil, rest.isElsewhere { curve.goOver(from: wasAway, to: away) }
        phase?.take(body, configuration)
        curve.take(phase?.position ?? away, at: body.time)
    }

    /// Ends the recording; returns the repetitions that became certain only now, and all that the whole recording
    /// shows.
    mutating func finish() -> (new: [Repetition], all: [Repetition]) {
        let new = readAll()
        (seen, phase) = ([], nil)
        whole.sort { $0.start < $1.start }
        // Where two runs meet, the end of one may be guessed later than the other begins.
        for index in whole.indices.dropLast() {
            whole[index].end = max(whole[index].start, min(whole[index].end, whole[index + 1].start))
        }
        return (new, whole)
    }

    /// Whether to read the last seconds: when a repetition of the current set is returning, or when enough time has
    /// passed that reported repetitions do not explain.
    private mutating func isReadingDue(at time: TimeInterval) -> Bool {
        let unexplained = time - explained
        nextReading = min(nextReading, unexplained + configuration.longestWithoutReading)
        return phase?.isComingBack == true || unexplained >= nextReading
    }

    private mutating func readLatest() -> [Repetition] {
        guard let now = seen.last?.time, !isStretched, CountingWeights.readsLive else { return [] }
        let configuration = configuration.meanwhile
        var wait = configuration.readingInterval
        defer { nextReading = now - explained + wait }
        let recent = seen[seen.partitioningIndex { $0.time >= now - configuration.recent }...]
        guard let track = MovementTrack(recent) else { return [] }
        let reading = CountReading(
            track, configuration, continuing: reported.suffix(configuration.mostContinued), isOfCamera: isOfCamera)
        var next: SetPhase?
        var new: [Repetition] = []
        for (run, repetitions) in reading.sets {
            guard let last = repetitions.last else { continue }
            if now - last.end < configuration.longestPause {
                next = phase(of: run, reading, repetitions[0], over: recent)
            }
            new += report(repetitions.filter { $0.confidence > configuration.sureProbability })
        }
        if phase?.isComingBack == true, new.isEmpty { wait = configuration.readingAgain }
        // One doubtful reading does not end a set.
        let isOver = reported.last.map { now - $0.end >= configuration.longestPause } ?? true
        if next != nil || isOver { phase = next }
        return new
    }

    private func phase(
        of run: CycleRun, _ reading: CountReading, _ first: Repetition, over recent: ArraySlice<SeenBody>
    ) -> SetPhase? {
        // Another signal is followed only when the set has grown to twice its repetitions.
        if let phase, run.cycles.count < 2 * phase.repetitions { return phase }
        guard let shown = reading.chart(of: run), let body = recent.last,
            var next = SetPhase(reading.hypotheses[shown.hypothesis], shown.cycles, reading.finder, of: body)
        else { return phase }
        if let phase {
            let since = recent.partitioningIndex { $0.time > body.time - configuration.compared }
            next.goOn(from: phase, over: recent[since...])
        } else {
            next.begin(at: recent.filter { ($0.time..<$0.time + configuration.before).contains(first.start) })
        }
        return next
    }

    private mutating func readAll() -> [Repetition] {
        guard let track = MovementTrack(seen[...], isStretched: isStretched) else { return [] }
        var reading = CountReading(track, configuration, isOfCamera: isOfCamera)
        // What takes half a second has few rows, and is smoothed away. Where nothing is found at all it is mostly steps.
        if reading.chosen != nil,
            let slowed = MovementTrack(seen[...], isStretched: isStretched, slowing: configuration.slowing)
        {
            let other = CountReading(slowed, configuration, isOfCamera: isOfCamera)
            if let tempo = other.tempo, tempo < configuration.quick { reading = other }
        }
        if explains { readings.append(reading) }
        var count = 0
        var new: [Repetition] = []
        // Two sets of one solution may touch, and the guessed end of one may lie in the other: they do not count less for
        // that. Only what an earlier stretch holds counts once.
        let earlier = whole
        for (_, repetitions) in reading.sets {
            new += report(repetitions)
            let missing = repetitions.filter { $0.share(in: earlier) < configuration.mostShared }
            whole += missing
            count += missing.count
        }
        posterior = posterior.adding(reading.posterior.moved(to: count))
        return new
    }

    /// Reports the repetitions of a set that were not reported before, and revises those that were.
    private mutating func report(_ set: [Repetition]) -> [Repetition] {
        guard let start = set.first?.start, let end = set.last?.end else { return [] }
        func isWithin(_ other: Repetition) -> Bool {
            (start...max(start, end)).contains((other.start + other.end) / 2)
        }
        for one in set {
            // Repetitions reported before they ended are more precise now.
            for index in reported.indices.suffix(configuration.mostRevised)
            where reported[index].overlap(with: one) > configuration.sameOverlap {
                reported[index] = one
            }
        }
        let missing = max(0, set.count - reported.count(where: isWithin))
        let shares = set.map { (one: $0, share: $0.share(in: reported)) }
        let unknown = shares.filter { $0.share < configuration.mostShared }.sorted { $0.share < $1.share }
        let new = unknown.prefix(missing).map(\.one).sorted { $0.start < $1.start }
        reported += new
        explained += new.reduce(0) { $0 + $1.duration }
        return new
    }

    /// Whether the camera rather than the body caused these movements.
    private func isOfCamera(_ movements: [Repetition]) -> Bool {
        guard !movements.isEmpty, seen.contains(where: { $0.camera != nil }) else { return false }
        let motions = movements.compactMap { movement in
            let first = seen.partitioningIndex { $0.time >= movement.start }
            return RigidMotion(seen[first..<seen[first...].partitioningIndex { $0.time > movement.end }])
        }
        return median(motions.map(\.ofCamera)) >= configuration.mostOfCamera
    }
}
