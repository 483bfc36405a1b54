import Foundation

/// Counts what was done by looking at the whole, when it is over.
///
/// The movement is cut into cycles in many ways (`HypothesisFinder`). A fitted score tells how likely each cycle is to be a
/// repetition (`CycleScore`), and the ways that explain the most time are chosen (`SetSelection`).
struct WholeCount: Sendable {
    private let configuration = CountingConfiguration()
    /// What was seen since the last break.
    private var seen: [SeenBody] = []
    /// The sets found before that, in order of time, with the places of their explanations.
    private var sets: [(repetitions: [Repetition], way: Int?)] = []
    /// How many stretches were looked at.
    private var stretches = 0
    /// Every way to count, with its evidence; none unless asked for.
    private(set) var explanations: [CycleExplanation] = []
    private let explains: Bool
    private let alternating: Alternation?

    /// Keeps the explanations if they are asked for, and reads sets that alternate sides as asked for.
    init(explains: Bool, alternating: Alternation? = nil) {
        (self.explains, self.alternating) = (explains, alternating)
    }

    /// Takes the joints of the next pose; a new shot shows another movement.
    mutating func append(_ joints: BodyJoints, isNewShot: Bool, at time: TimeInterval) {
        if let last = seen.last, isNewShot || time - last.time > configuration.longestGap || time < last.time {
            look()
            seen = []
        }
        seen.append(SeenBody(joints, after: seen.last, at: time))
        guard let first = seen.first, time - first.time > configuration.memory else { return }
        look()
        seen.removeFirst(seen.partitioningIndex { time - $0.time < configuration.memory * configuration.again })
    }

    /// Ends the recording and returns the repetitions of sets that are sure, beyond those that were told.
    mutating func finish(told: [Repetition]) -> [Repetition] {
        look()
        var added: [Repetition] = []
        for (set, way) in sets {
            guard let first = set.first, let last = set.last else { continue }
            let all = told + added
            // What was told of the set may have been cut elsewhere: then those that were told least are missing.
            let known = all.count { (first.start...max(first.start, last.end)).contains(($0.start + $0.end) / 2) }
            let isMissing = Double(known) < configuration.leastTold * Double(set.count)
            if let way { explanations[way].explain(known: known, of: set.count, isAdded: isMissing) }
            guard isMissing else { continue }
            added += set.map { ($0, Self.share(of: $0, in: all)) }.sorted { $0.1 < $1.1 }
                .prefix(max(0, set.count - known)).map(\.0)
        }
        (seen, sets) = ([], [])
        return added.sorted { $0.start < $1.start }
    }

    private mutating func look() {
        guard let track = MovementTrack(seen[...]) else { return }
        let finder = HypothesisFinder(track, configuration)
        let selection = SetSelection(finder, configuration)
        let first = explanations.count
        if explains { explanations += CycleExplanation.all(finder, configuration, stretch: stretches) }
        stretches += 1
        for chosen in selection.chosen {
            let set = selection.repetitions(of: chosen)
            let way = explains ? first + chosen.index : nil
            if set.reduce(0, { $0 + $1.confidence }) > configuration.sureProbability * Float(set.count) {
                sets.append((alternating.map { SideCounter.read(set, $0, seen: seen) } ?? set, way))
            } else if let way {
                explanations[way].verdict += ", but too unsure in the mean to add anything"
            }
        }
    }

    /// How much of a repetition lies in others, 0...1.
    private static func share(of one: Repetition, in others: [Repetition]) -> Double {
        others.reduce(0) { $0 + max(0, min(one.end, $1.end) - max(one.start, $1.start)) } / max(one.duration, 1e-3)
    }
}
