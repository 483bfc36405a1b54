import Foundation
import KinemaCore

/// Counts what was done by looking at the whole, when it is over, and at the last seconds meanwhile.
///
/// The movement is cut into cycles in many ways (`HypothesisFinder`). A fitted score tells how likely each cycle is to be a
/// repetition (`CycleScore`), and the ways that explain the most time are chosen (`SetSelection`).
struct WholeCount: Sendable {
    private let configuration = CountingConfiguration()
    /// What was seen since the last break.
    private var seen: [SeenBody] = []
    /// The sets found before that, in order of time.
    private var sets: [FoundSet] = []
    /// Whether every pose was stretched to the picture.
    private var isStretched = false
    /// When the first pose was.
    private var began: TimeInterval?
    /// The cycles of what was looked at lately, as far as they may be repetitions.
    private var looked: [JudgedCycle] = []
    /// After how much movement that nothing explains the last seconds are looked at again, and what was found in them.
    private var nextLook: TimeInterval = -.infinity
    private var overlooked: [Repetition] = []
    /// How many stretches were looked at.
    private var stretches = 0
    /// Every way to count, with its evidence; none unless asked for.
    private(set) var explanations: [CycleExplanation] = []
    private static let ofCamera = ", but the camera moves and not the body"
    private let explains: Bool
    private let alternating: Alternation?

    /// Keeps the explanations if they are asked for, and reads sets that alternate sides as asked for.
    init(explains: Bool, alternating: Alternation? = nil) {
        (self.explains, self.alternating) = (explains, alternating)
    }

    /// Takes the joints of the next pose; a new shot shows another movement.
    mutating func append(
        _ joints: BodyJoints, isNewShot: Bool, isStretched: Bool = false, camera: SimilarityTransform? = nil,
        at time: TimeInterval
    ) {
        if let last = seen.last, isNewShot || time - last.time > configuration.longestGap || time < last.time {
            look()
            seen = []
        }
        self.isStretched = isStretched && (began == nil || self.isStretched)
        seen.append(SeenBody(joints, after: seen.last, camera: camera, at: time))
        began = began ?? time
        guard let first = seen.first, time - first.time > configuration.memory else { return }
        look()
        seen.removeFirst(seen.partitioningIndex { time - $0.time < configuration.memory * configuration.again })
    }

    /// Ends the recording and returns the repetitions of sets that are sure, beyond those that were told.
    ///
    /// `movements` are what was reported before sides were joined or divided, if they were.
    mutating func finish(told: [Repetition], movements: [Repetition]? = nil) -> [Repetition] {
        look()
        var known = KnownRepetitions(all: told, movements: movements ?? told)
        for set in sets {
            if set.probability > judging.sureProbability {
                add(set, to: &known)
            } else if let way = set.way {
                explanations[way].verdict += ", but too unsure in the mean to add anything"
            }
        }
        (seen, sets, overlooked, began) = ([], [], [], nil)
        return known.added.sorted { $0.start < $1.start }
    }

    /// Adds what is missing of a set of which less than `minimumReportedShare` is known.
    private mutating func add(_ set: FoundSet, to known: inout KnownRepetitions) {
        let number = set.number(of: known.movements)
        let isMissing = Double(number) < judging.minimumReportedShare * Double(set.movements.count)
        if let way = set.way { explanations[way].explain(known: number, of: set.movements.count, isAdded: isMissing) }
        guard isMissing else { return }
        known.add(set)
    }

    /// Whether it is time to look at the last seconds: only what no reported movement explains can have been overlooked.
    ///
    /// `unexplained` is the time at the newest pose less what movements that were reported took, seconds. It falls when one
    /// is reported; then nothing is looked at until the next one would have been.
    mutating func isLookDue(unexplained: TimeInterval) -> Bool {
        nextLook = min(nextLook, unexplained + configuration.longestWithoutLook)
        return unexplained >= nextLook
    }

    /// The next look comes when as much more is unexplained.
    mutating func planLook(unexplained: TimeInterval) { nextLook = unexplained + configuration.lookInterval }

    /// What the last seconds show beyond what was reported: sets of which the live pass missed much, and their continuation.
    ///
    /// Nothing of stretched poses, of which too little is sure.
    mutating func overlooked(told: [Repetition], movements: [Repetition]) -> KnownRepetitions {
        var known = KnownRepetitions(all: told, movements: movements)
        guard let now = seen.last?.time, !isStretched else { return known }
        let recent = seen[seen.partitioningIndex { $0.time >= now - configuration.recent }...]
        guard let track = MovementTrack(recent) else { return known }
        for set in found(HypothesisFinder(track, configuration.meanwhile), configuration, firstWay: nil) {
            let (number, own) = (set.number(of: told), set.number(of: overlooked))
            let goesOn = own > 0 && own == number
            let reported = Double(set.number(of: movements)) / Double(set.movements.count)
            guard set.probability > configuration.sureMeanwhile, set.movements.count >= configuration.leastOverlooked,
                set.repetitions.count - number >= (goesOn ? 1 : configuration.leastOverlooked),
                goesOn || reported < configuration.minimumReportedShare
            else { continue }
            known.add(set, sharing: configuration.mostShared)
        }
        overlooked += known.added
        return known
    }

    /// Whether as much of a movement lies in others that it is one of them.
    func isAmong(_ others: some Sequence<Repetition>, _ movement: Repetition) -> Bool {
        movement.share(in: others) >= configuration.mostShared
    }

    /// How likely movements are repetitions, each by the likeliest of the cycles that lie where it lies, 0...1.
    func support(of movements: [Repetition]) -> [Float] {
        guard let first = movements.first, let last = seen.last else { return movements.map { _ in 0 } }
        let start = min(first.start - configuration.lead, last.time - configuration.lead)
        let recent = seen[seen.partitioningIndex { $0.time >= start }...]
        let cycles = looked + (MovementTrack(recent).map { JudgedCycle.all(HypothesisFinder($0, configuration)) } ?? [])
        return movements.map { movement in
            cycles.reduce(0) { $1.covers(movement) ? max($0, $1.probability) : $0 }
        }
    }

    /// Whether movements lately are the camera's and not the body's.
    func isOfCamera(_ movements: [Repetition], isWithinSet: Bool = false) -> Bool {
        let motions = movements.compactMap { movement in
            let first = seen.partitioningIndex { $0.time >= movement.start }
            return RigidMotion(seen[first..<seen[first...].partitioningIndex { $0.time > movement.end }])
        }
        return median(motions.map { $0.camera ?? 0 }) >= configuration.mostOfCamera
            && median(motions.map(\.share)) >= (isWithinSet ? configuration.leastRigidWithin : configuration.leastRigid)
    }

    private var judging: CountingConfiguration { isStretched ? configuration.ifStretched : configuration }

    private mutating func look() {
        guard let track = MovementTrack(seen[...]) else { return }
        let configuration = judging
        let finder = HypothesisFinder(track, configuration)
        looked = looked.filter { $0.end > track.origin - configuration.memory } + JudgedCycle.all(finder)
        let first = explains ? explanations.count : nil
        if explains { explanations += CycleExplanation.all(finder, configuration, stretch: stretches) }
        stretches += 1
        sets += found(finder, configuration, firstWay: first)
    }

    private mutating func found(
        _ finder: HypothesisFinder, _ configuration: CountingConfiguration, firstWay: Int?
    ) -> [FoundSet] {
        let selection = SetSelection(finder, configuration)
        return selection.chosen.compactMap { chosen in
            let set = selection.repetitions(of: chosen)
            guard let start = set.first?.start, let end = set.last?.end else { return nil }
            guard !isOfCamera(set) else {
                if let way = firstWay.map({ $0 + chosen.index }), !explanations[way].verdict.hasSuffix(Self.ofCamera) {
                    explanations[way].verdict += Self.ofCamera
                }
                return nil
            }
            let mean = set.reduce(0) { $0 + $1.confidence } / Float(set.count)
            return FoundSet(
                movements: set, repetitions: alternating.map { SideCounter.read(set, $0, seen: seen) } ?? set,
                start: start, end: end, probability: mean,
                way: firstWay.map { $0 + chosen.index })
        }
    }
}

/// What counts so far: as reported, as movements before sides were joined or divided, and what this pass adds.
struct KnownRepetitions {
    private(set) var all: [Repetition], movements: [Repetition]
    private(set) var added: [Repetition] = []

    init(all: [Repetition], movements: [Repetition]) { (self.all, self.movements) = (all, movements) }

    /// Adds what is missing of a set, but for repetitions of which this share or more is known.
    ///
    /// What was reported of the set may have been cut elsewhere: then those that were reported least are missing.
    fileprivate mutating func add(_ set: FoundSet, sharing share: Double = .infinity) {
        let new = set.repetitions.map { ($0, $0.share(in: all)) }.filter { $0.1 < share }.sorted { $0.1 < $1.1 }
            .prefix(max(0, set.repetitions.count - set.number(of: all))).map(\.0)
        added += new
        all += new
        movements += set.movements.filter { $0.share(in: movements) < share }
    }
}

extension Repetition {
    /// How much of it lies in others, 0...1.
    fileprivate func share(in others: some Sequence<Repetition>) -> Double {
        others.reduce(0) { $0 + max(0, min(end, $1.end) - max(start, $1.start)) } / max(duration, 1e-3)
    }
}

/// A set that was chosen when a stretch was looked at.
private struct FoundSet: Sendable {
    let movements: [Repetition]
    /// The same with sides joined or divided as asked for.
    let repetitions: [Repetition]
    let start: TimeInterval, end: TimeInterval
    /// How likely its repetitions are in the mean.
    let probability: Float
    /// The place of its explanation.
    let way: Int?

    /// How many of some repetitions lie in it.
    func number(of others: [Repetition]) -> Int {
        others.count { (start...max(start, end)).contains(($0.start + $0.end) / 2) }
    }
}

/// When a cycle of any hypothesis was, and how likely it is a repetition.
private struct JudgedCycle: Sendable {
    let start: TimeInterval, end: TimeInterval
    let probability: Float

    /// The cycles that are worth keeping.
    static func all(_ finder: HypothesisFinder) -> [JudgedCycle] {
        finder.hypotheses.flatMap { hypothesis in
            zip(hypothesis.cycles, hypothesis.probabilities).compactMap { cycle, probability in
                probability < 0.1
                    ? nil
                    : JudgedCycle(
                        start: finder.track.time(cycle.from), end: finder.track.time(cycle.to),
                        probability: probability)
            }
        }
    }

    /// Whether it lies where a movement lies: what both share is more than 0.4 of what they span.
    func covers(_ movement: Repetition) -> Bool {
        let shared = min(end, movement.end) - max(start, movement.start)
        return shared > 0.4 * (max(end, movement.end) - min(start, movement.start))
    }
}
