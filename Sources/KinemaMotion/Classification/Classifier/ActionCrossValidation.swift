import KinemaCore

/// Which examples are left out together when a classifier is judged on what it has not learnt.
public enum LeavingOut: Hashable, Sendable {
    /// Everyone in turn; examples that name nobody are each their own.
    case person
    /// Each clip in turn.
    case clip
    /// A part of the clips in turn, spread over the classes; so many parts.
    case parts(Int)
}

/// Trains again and again without some of the examples, and judges those.
public struct ActionCrossValidation: Sendable {
    /// How each classifier is trained.
    public var trainer: ActionTrainer
    /// What is left out each time.
    public var leavingOut: LeavingOut

    /// Makes a cross-validation from a way of training and what is left out each time.
    public init(_ trainer: ActionTrainer, leavingOut: LeavingOut) {
        self.trainer = trainer
        self.leavingOut = leavingOut
    }

    /// What was said of one example by a classifier that had not seen it.
    public struct Verdict: Hashable, Sendable {
        /// The example's place in the list.
        public var index: Int
        /// The true class.
        public var truth: String
        /// The most likely class, whether or not it was accepted.
        public var said: String
        /// Its probability, 0...1.
        public var confidence: Double
        /// Whether it was accepted as one of the classes.
        public var isAccepted: Bool

        /// Puts down what a prediction says of an example; nil when it says nothing.
        public init?(_ prediction: ActionPrediction?, index: Int, truth: String) {
            guard let prediction, let said = prediction.mostLikely else { return nil }
            self.index = index
            self.truth = truth
            self.said = said
            confidence = prediction.confidence
            isAccepted = prediction.label != nil
        }
    }

    /// Judges every example that shows somebody; `progress` is told the rounds done and in all, and ends it by throwing.
    ///
    /// Throws what training throws, for instance when a class has too few examples without those left out.
    public func verdicts(
        _ examples: [ActionTrainer.Example], progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> [Verdict] {
        let rounds = rounds(examples)
        var verdicts: [Verdict] = []
        for (number, out) in rounds.enumerated() {
            try progress(number, rounds.count)
            let left = Set(out)
            let rest = examples.indices.filter { !left.contains($0) }.map { examples[$0] }
            let classifier = try trainer.train(rest)
            verdicts += out.compactMap { index in
                Verdict(
                    classifier.prediction(of: examples[index].sequence), index: index, truth: examples[index].label)
            }
        }
        return verdicts.sorted { $0.index < $1.index }
    }

    private func rounds(_ examples: [ActionTrainer.Example]) -> [[Int]] {
        switch leavingOut {
        case .clip: return examples.indices.map { [$0] }
        case .person:
            let groups = Dictionary(grouping: examples.indices) { index in
                examples[index].person.map { "person \($0)" } ?? "clip \(index)"
            }
            return groups.values.sorted { $0[0] < $1[0] }
        case .parts(let parts):
            // Dealt out like cards, class after class, in an order that the seed shuffles.
            var random = SeededSource(trainer.randomSeed, item: -2)
            var hands = [[Int]](repeating: [], count: max(2, min(parts, examples.count)))
            var next = 0
            for label in Set(examples.map(\.label)).sorted() {
                let members = examples.indices.filter { examples[$0].label == label }
                for place in random.choice(members.count, of: members.count) {
                    hands[next % hands.count].append(members[place])
                    next += 1
                }
            }
            return hands.filter { !$0.isEmpty }.map { $0.sorted() }
        }
    }
}

extension ActionPrediction {
    /// The most likely class, whether or not it was accepted.
    public var mostLikely: String? {
        labelProbabilities.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
