import KinemaCore

/// The grouping of examples for cross-validation; each group is held out once.
package enum CrossValidationSplit: Hashable, Sendable {
    /// By person; examples without a person are each their own group.
    case person
    case clip
    /// In the given number of folds, stratified by class.
    case folds(Int)
    /// In the given number of folds of neighbours: blocks of each class in the order of the numbers in its file names.
    case blocks(Int)
}

/// Cross-validation: trains repeatedly without some of the examples and classifies those.
package struct ActionCrossValidation: Sendable {
    package var trainer: ActionTrainer
    package var split: CrossValidationSplit

    package init(_ trainer: ActionTrainer, split: CrossValidationSplit) {
        (self.trainer, self.split) = (trainer, split)
    }

    /// The prediction for one example by a classifier that was not trained on it.
    package struct HeldOutPrediction: Hashable, Sendable {
        package var index: Int
        package var truth: String
        /// The most likely class, whether or not it was accepted.
        package var predicted: String
        package var confidence: Double
        package var isAccepted: Bool

        package init?(_ prediction: ActionPrediction?, index: Int, truth: String) {
            guard let prediction, let predicted = prediction.mostLikely else { return nil }
            (self.index, self.truth, self.predicted) = (index, truth, predicted)
            confidence = prediction.confidence
            isAccepted = prediction.label != nil
        }
    }

    /// Classifies every example that shows a person; `progress` gets the finished and the total rounds and may throw to
    /// stop. Throws the errors of training.
    package func predictions(
        _ examples: [ActionTrainer.Example], progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> [HeldOutPrediction] {
        let rounds = rounds(examples)
        var trainer = trainer
        trainer.minimumClips = 1
        var predictions: [HeldOutPrediction] = []
        for (number, heldOut) in rounds.enumerated() {
            try progress(number, rounds.count)
            let excluded = Set(heldOut)
            let rest = examples.indices.filter { !excluded.contains($0) }.map { examples[$0] }
            let classifier = try trainer.train(rest)
            predictions += heldOut.compactMap { index in
                HeldOutPrediction(
                    classifier.prediction(of: examples[index].sequence), index: index, truth: examples[index].label)
            }
        }
        return predictions.sorted { $0.index < $1.index }
    }

    func rounds(_ examples: [ActionTrainer.Example]) -> [[Int]] {
        switch split {
        case .clip: return examples.indices.map { [$0] }
        case .person:
            let groups = Dictionary(grouping: examples.indices) { index in
                examples[index].person.map { "person \($0)" } ?? "clip \(index)"
            }
            return groups.values.sorted { $0[0] < $1[0] }
        case .folds(let count), .blocks(let count):
            var random = RandomSource(trainer.randomSeed, item: -2)
            var folds = [[Int]](repeating: [], count: max(2, min(count, examples.count)))
            var next = 0
            for label in Set(examples.map(\.label)).sorted() {
                let members = examples.indices.filter { examples[$0].label == label }
                if case .blocks = split {
                    let ordered = members.map { (examples[$0].firstNumber, $0) }.sorted(by: <)
                    for (position, member) in ordered.enumerated() {
                        folds[position * folds.count / members.count].append(member.1)
                    }
                } else {
                    // Deal each class out over the folds in turn, in an order the seed shuffles.
                    for position in random.choice(members.count, of: members.count) {
                        folds[next % folds.count].append(members[position])
                        next += 1
                    }
                }
            }
            return folds.filter { !$0.isEmpty }.map { $0.sorted() }
        }
    }
}

extension ActionTrainer.Example {
    /// The first number in the file's name; the largest integer for a name without one.
    fileprivate var firstNumber: Int {
        func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
        return Int((source.split(separator: "/").last ?? "").drop { !isDigit($0) }.prefix(while: isDigit)) ?? .max
    }
}
