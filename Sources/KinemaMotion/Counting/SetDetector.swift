import Foundation
import KinemaCore

/// Detects sets of repetitions in the movement of a body: in the last seconds while it moves, and in all of it at the end.
///
/// The movement is cut into cycles in many ways (`HypothesisFinder`). A fitted score gives the probability that each cycle is a
/// repetition (`CycleScore`), and the hypotheses that explain the most time are chosen (`SetSelection`). Repetitions of
/// a chosen set that were not reported before are reported then.
struct SetDetector: Sendable {
    private let configuration = CountingConfiguration()
    /// What was seen since the last break.
    private var seen: [SeenBody] = []
    /// The reported repetitions, each as last revised, and those of the stretches that have ended.
    private var reported: [Repetition] = [], whole: [Repetition] = []
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
    /// The break before the stretch under way, and the sets of the stretch that was read last.
    private var lastBreak: SetBreak?
    private var lastSets: [DetectedSet] = [], lastUnsure: [DetectedSet] = []
    /// The number of stretches that were read.
    private var stretches = 0
    /// Every candidate count with its evidence; none unless asked for.
    private(set) var explanations: [CycleExplanation] = []
    private let explains: Bool
    private static let ofCamera = ", but the camera moves and not the body"

    init(explains: Bool) { self.explains = explains }

    /// Adds the joints of the next pose and returns the repetitions that became certain; a new shot starts a new
    /// stretch.
    mutating func append(
        _ joints: BodyJoints, isNewShot: Bool, isStretched: Bool = false, camera: SimilarityTransform? = nil,
        at time: TimeInterval
    ) -> [Repetition] {
        var new: [Repetition] = []
        if let last = seen.last, isNewShot || time - last.time > configuration.longestGap || time < last.time {
            new += readAll()
            lastBreak =
                time < last.time || time - last.time > configuration.longestPause
                ? nil : SetBreak(last: last.time, first: time, sets: lastSets, unsure: lastUnsure)
            (seen, phase) = ([], nil)
            (rest, curve) = (RestDistance(), MovementCurve())
        }
        self.isStretched = isStretched && (began == nil || self.isStretched)
        began = began ?? time
        let body = SeenBody(joints, after: seen.last, camera: camera, at: time)
        seen.append(body)
        let wasAway = away
        away = rest.take(joints, at: time)
        if phase == nil, rest.isElsewhere { curve.goOver(from: wasAway, to: away) }
        phase?.take(body, configuration)
        let place = phase?.position ?? away
        curve.take(place, at: time)
        if let first = seen.first, time - first.time > configuration.memory {
            new += readAll()
            seen.removeFirst(seen.partitioningIndex { time - $0.time < configuration.memory * configuration.again })
        } else if isReadingDue(at: time) {
            new += readLatest()
        }
        curve.goOver(from: place, to: phase?.position ?? away)
        return new
    }

    /// Ends the recording; returns the repetitions that became certain only now, and all that the whole recording
    /// shows.
    mutating func finish() -> (new: [Repetition], all: [Repetition]) {
        let new = readAll()
        (seen, phase) = ([], nil)
        whole += reported.filter {
            $0.confidence > configuration.keptProbability && $0.share(in: whole) < configuration.mostShared
        }
        return (new, whole.sorted { $0.start < $1.start })
    }

    /// Whether to read the last seconds: when a repetition of the current set is returning, or when enough time has
    /// passed that reported repetitions do not explain.
    private mutating func isReadingDue(at time: TimeInterval) -> Bool {
        let unexplained = time - explained
        nextReading = min(nextReading, unexplained + configuration.longestWithoutReading)
        return phase?.isComingBack == true || unexplained >= nextReading
    }

    private mutating func readLatest() -> [Repetition] {
        guard let now = seen.last?.time, !isStretched else { return [] }
        var wait = configuration.readingInterval
        defer { nextReading = now - explained + wait }
        let recent = seen[seen.partitioningIndex { $0.time >= now - configuration.recent }...]
        let meanwhile = configuration.meanwhile
        guard let track = MovementTrack(recent, fastest: meanwhile.fastest) else { return [] }
        var next: SetPhase?
        var new: [Repetition] = []
        let known = reported.suffix(configuration.mostContinued)
        for set in sets(in: HypothesisFinder(track, meanwhile), meanwhile, continuing: known) {
            if now - set.end < configuration.longestPause, set.probability > configuration.breakEvenProbability {
                next = set.phase
                if let phase {
                    let first = recent.partitioningIndex { $0.time > now - configuration.compared }
                    next?.goOn(from: phase, over: recent[first...])
                } else {
                    next?.begin(at: recent.filter { ($0.time..<$0.time + configuration.before).contains(set.start) })
                }
            }
            let isLong = set.repetitions.count >= configuration.leastMeanwhile || isContinued(by: set)
            if isLong, set.probability > configuration.sureProbability {
                // An earlier beginning of a set is reported only after a reading of the whole.
                new += report(set, after: reported.first(where: set.includes)?.start ?? -.infinity)
                new += addToReported(repetitionAcross(to: set))
            }
        }
        if phase?.isComingBack == true, new.isEmpty { wait = configuration.readingAgain }
        phase = next
        return new
    }

    private mutating func readAll() -> [Repetition] {
        guard let track = MovementTrack(seen[...]) else { return [] }
        let configuration = isStretched ? configuration.ifStretched : configuration
        let finder = HypothesisFinder(track, configuration)
        let first = explains ? explanations.count : nil
        if explains { explanations += CycleExplanation.all(finder, configuration, stretch: stretches) }
        stretches += 1
        var found = sets(in: finder, configuration, firstWay: first).filter { set in
            let isMany = set.repetitions.count > 2
            if set.probability > (isMany ? configuration.sureOfMany : configuration.sureProbability) { return true }
            if let way = set.way { explanations[way].verdict += ", but too unsure in the mean to be reported" }
            return false
        }
        let unsure = sets(in: finder, configuration.besideSet, firstWay: first)
            .filter { $0.probability > configuration.sureBesideSet }
        if let lastBreak {
            var beside = unsure.filter { one in !found.contains(where: one.overlaps) && isContinued(by: one) }
            beside += lastBreak.unsure.filter { one in
                !lastBreak.sets.contains(where: one.overlaps) && found.contains { goesOn(one, $0) }
            }
            for case let way? in beside.map(\.way) { explanations[way].takeBesideSet() }
            found = (found + beside).sorted { $0.start < $1.start }
        }
        var new = found.flatMap { set in
            let known = reported.count(where: set.includes)
            let new = report(set)
            _ = add(set, to: &whole)
            if let way = set.way {
                explanations[way].explain(known: known, of: set.repetitions.count, added: new.count)
            }
            return new
        }
        let next = found.first { $0.start > lastBreak?.last ?? .infinity && isContinued(by: $0) }
        if let one = next.map({ repetitionAcross(to: $0) }) ?? repetitionAcross(finder) {
            if one.share(in: whole) < configuration.mostShared { whole.append(one) }
            new += addToReported(one)
        }
        (lastSets, lastUnsure, lastBreak) = (found, unsure, nil)
        return new
    }

    private mutating func addToReported(_ one: Repetition?) -> [Repetition] {
        guard let one, one.share(in: reported) < configuration.mostShared else { return [] }
        reported.append(one)
        explained += one.duration
        return [one]
    }

    /// Whether this set may continue one from before the last break.
    private func isContinued(by set: DetectedSet) -> Bool {
        lastBreak?.sets.contains { goesOn($0, set) } ?? false
    }

    private func goesOn(_ before: DetectedSet, _ after: DetectedSet) -> Bool {
        before.isLike(after, within: configuration.longestPause, configuration.mostOtherRhythm)
    }

    /// The repetition that the last break divided, if the set continues after it in rhythm with just one missing.
    private func repetitionAcross(to next: DetectedSet) -> Repetition? {
        guard let set = lastBreak?.sets.last, let last = set.repetitions.last, let first = next.repetitions.first,
            isContinued(by: next)
        else { return nil }
        let durations = (set.repetitions.suffix(4) + next.repetitions).map { Float($0.duration) }
        let left = (first.start - last.end) / Double(max(median(durations), 1e-3)) - 1
        guard abs(left) < configuration.rhythmTolerance,
            set.pathAfter + next.pathBefore > configuration.leastPathAcross * set.path
        else { return nil }
        return Repetition(start: last.end, end: first.start, confidence: set.probability)
    }

    /// The last repetition of a set, divided by the last break: the body was in mid-repetition and keeps moving long
    /// enough to finish it.
    private func repetitionAcross(_ finder: HypothesisFinder) -> Repetition? {
        guard let lastBreak, let set = lastBreak.sets.last, let last = set.repetitions.last else { return nil }
        let end = last.end + set.rhythm
        guard set.phase.value > configuration.leastWithin, end > lastBreak.first else { return nil }
        let path = set.pathAfter + finder.path(until: end + set.rhythm * configuration.rhythmTolerance)
        guard path > configuration.leastPathAcross * set.path else { return nil }
        return Repetition(start: last.end, end: end, confidence: set.probability)
    }

    private mutating func report(_ set: DetectedSet, after first: TimeInterval = -.infinity) -> [Repetition] {
        let new = add(set, to: &reported, after: first)
        explained += new.reduce(0) { $0 + $1.duration }
        return new
    }

    /// Adds the missing repetitions of a set that end after a time, and returns them.
    private func add(
        _ set: DetectedSet, to known: inout [Repetition], after first: TimeInterval = -.infinity
    ) -> [Repetition] {
        for one in set.repetitions {
            // Repetitions reported before they ended are more precise now.
            for index in known.indices.suffix(configuration.mostRevised)
            where known[index].overlap(with: one) > configuration.sameOverlap {
                known[index] = one
            }
        }
        let missing = max(0, set.repetitions.count - known.count(where: set.includes))
        let shares = set.repetitions.filter { $0.end > first }.map { (one: $0, share: $0.share(in: known)) }
        let unknown = shares.filter { $0.share < configuration.mostShared }.sorted { $0.share < $1.share }
        let new = unknown.prefix(missing).map(\.one).sorted { $0.start < $1.start }
        known += new
        return new
    }

    private mutating func sets(
        in finder: HypothesisFinder, _ configuration: CountingConfiguration,
        continuing reported: ArraySlice<Repetition> = [], firstWay: Int? = nil
    ) -> [DetectedSet] {
        let selection = SetSelection(finder, configuration, continuing: reported)
        return selection.chosen.compactMap { chosen in
            let repetitions = selection.repetitions(of: chosen)
            guard let start = repetitions.first?.start, let end = repetitions.last?.end, let body = seen.last else {
                return nil
            }
            let way = firstWay.map { $0 + chosen.index }
            guard !isOfCamera(repetitions) else {
                if let way, !explanations[way].verdict.hasSuffix(Self.ofCamera) {
                    explanations[way].verdict += Self.ofCamera
                }
                return nil
            }
            return DetectedSet(
                repetitions: repetitions, start: start, end: end,
                probability: repetitions.reduce(0) { $0 + $1.confidence } / Float(repetitions.count), way: way,
                phase: SetPhase(finder.hypotheses[chosen.index], finder, of: body),
                path: median(repetitions.map { finder.path(until: $0.end) - finder.path(until: $0.start) }),
                pathBefore: finder.path(until: start),
                pathAfter: finder.path(until: .infinity) - finder.path(until: end))
        }
    }

    /// Whether the camera rather than the body caused these movements.
    private func isOfCamera(_ movements: [Repetition]) -> Bool {
        let motions = movements.compactMap { movement in
            let first = seen.partitioningIndex { $0.time >= movement.start }
            return RigidMotion(seen[first..<seen[first...].partitioningIndex { $0.time > movement.end }])
        }
        return median(motions.map { $0.camera ?? 0 }) >= configuration.mostOfCamera
            && median(motions.map(\.share)) >= configuration.leastRigid
    }
}
