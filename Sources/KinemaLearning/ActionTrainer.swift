public import KinemaMotion
import Foundation
public import KinemaCore

/// Trains an action classifier on labelled pose sequences, in about a second.
///
/// Windows are normalised by the body's position and size. Random convolutions turn each window into a few thousand
/// features, and one linear fit weights them. Results do not depend on the number of cores.
public struct ActionTrainer: Hashable, Sendable {
    /// A labelled recording of one action.
    public struct Example: Hashable, Sendable {
        /// The movement, at any frame rate.
        package var sequence: PoseSequence
        /// The class.
        package var label: String
        /// The person it shows, if known: each person is held out as a whole, to measure the accuracy for people not in
        /// the training data.
        package var person: String?
        /// The source, for messages.
        package var source: String

        /// Creates an example from a movement and its class, with person and source if known.
        public init(_ sequence: PoseSequence, label: String, person: String? = nil, source: String = "") {
            (self.sequence, self.label, self.person, self.source) = (sequence, label, person, source)
        }
    }

    /// Frames in a window; 60 by default.
    public var predictionWindowSize = 60
    /// Frames per second; 30 by default. Recordings at other rates are resampled.
    public var targetFrameRate = 30.0
    /// The variations of each window's augmented copy.
    public var augmentationOptions = AugmentationOptions.standard
    /// Whether mirroring is dropped if it worsens held-out clips, as for violins; needs validation, true by default.
    package var mirrorsOnlyIfBetter = true
    /// The clips held out, to choose settings and to measure accuracy.
    public var validation = ActionValidation.automatic
    /// The minimum number of clips in a class; 2 by default, one to learn from while the other is held out.
    package var minimumClips = 2
    /// The seed of all random numbers.
    public var randomSeed = 0

    /// Creates a trainer with the defaults.
    public init() {}

    /// Trains on the examples.
    ///
    /// Examples without a person, or longer than a million frames at the target rate, are dropped and reported to the
    /// collector, as are classes of very different size. Throws `invalidArgument` for fewer than two classes, a class
    /// with fewer examples than `minimumClips`, and a window size, frame rate or split out of range.
    public func train(
        _ examples: [Example], diagnostics: DiagnosticCollector = DiagnosticCollector(),
        eventHandler: EventHandler? = nil
    ) throws(KinemaError) -> HumanActionClassifier {
        try validate()
        let usable = examples.filter { example in
            guard example.sequence.visibleFraction >= Self.minimumVisibleFraction else {
                let found = example.sequence.subject == .hand ? "no hand" : "no person"
                diagnostics.report(
                    Diagnostic("training.nobody", "\(found) was found; the clip is dropped", file: example.source))
                return false
            }
            let window = Double(predictionWindowSize) / targetFrameRate
            guard example.sequence.frames(rate: targetFrameRate, window: window) != nil else {
                let message =
                    "longer than \(PoseSequence.maximumFrames) frames at \(targetFrameRate) fps; the clip is dropped, "
                    + "split it"
                diagnostics.report(Diagnostic("training.long", message, file: example.source))
                return false
            }
            return true
        }
        try check(usable, of: examples)
        reportImbalance(usable, diagnostics)
        let report = { (done: Int, metrics: [MetricsKey: any Sendable]) in
            eventHandler?(
                Event(origin: "ActionTrainer", itemCount: done, totalItemCount: usable.count, metrics: metrics))
        }
        report(0, [:])
        guard let outcome = ActionTraining(trainer: self).fit(usable) else {
            throw KinemaError(.analysisFailed, "the clips of different classes look the same; check the labels")
        }
        let summary = summary(outcome, usable)
        report(usable.count, summary.heldOutClipAccuracy.map { [.validationAccuracy: $0] } ?? [:])
        return HumanActionClassifier(model: outcome.model, summary: summary)
    }

    /// A clip must show a person in at least a tenth of its frames.
    private static let minimumVisibleFraction = 0.1

    private func validate() throws(KinemaError) {
        guard (4...10_000).contains(predictionWindowSize) else {
            throw KinemaError.invalid("a window cannot have \(predictionWindowSize) frames; use 4 to 10000")
        }
        guard targetFrameRate.isFinite, (1...1000).contains(targetFrameRate) else {
            throw KinemaError.invalid("the frame rate cannot be \(targetFrameRate); use 1 to 1000")
        }
        if case .split(let share) = validation, !(0.05...0.5).contains(share) {
            throw KinemaError.invalid("the validation split cannot be \(share); use 0.05 to 0.5")
        }
    }

    private func check(_ usable: [Example], of all: [Example]) throws(KinemaError) {
        guard Set(usable.map(\.sequence.subject)).count <= 1 else {
            throw KinemaError.invalid("the examples mix bodies and hands; train a separate classifier for each")
        }
        let counts = usable.reduce(into: [String: Int]()) { $0[$1.label, default: 0] += 1 }
        for label in Set(all.map(\.label)).sorted() where counts[label, default: 0] < max(1, minimumClips) {
            let whom = all.first?.sequence.subject == .hand ? "a hand" : "a person"
            let problem =
                switch counts[label, default: 0] {
                case 0: "no clip that shows \(whom)"
                case 1: "only one clip"
                case let count: "only \(count) clips"
                }
            throw KinemaError.invalid("the class \"\(label)\" has \(problem); at least \(minimumClips) are needed")
        }
        guard counts.count >= 2 else {
            let found = counts.keys.first.map { "only \"\($0)\"" } ?? "none"
            throw KinemaError.invalid("at least two classes are needed; there is \(found)")
        }
    }

    /// The ratio of clips between classes from which the difference is reported.
    private static let imbalance = 3

    private func reportImbalance(_ examples: [Example], _ diagnostics: DiagnosticCollector) {
        let counts = examples.reduce(into: [String: Int]()) { $0[$1.label, default: 0] += 1 }
        let order = counts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        guard let (fewest, few) = order.first, let (most, many) = order.last, many >= Self.imbalance * few else {
            return
        }
        diagnostics.report(
            Diagnostic(
                "training.imbalance",
                "the class \"\(fewest)\" has \(few) clips and \"\(most)\" \(many); rare classes weigh up to three times as "
                    + "much, more clips of \"\(fewest)\" would help more"))
    }

    private func summary(_ outcome: ActionTraining.Outcome, _ examples: [Example]) -> TrainingSummary {
        let classes = outcome.model.classes
        func best(_ scores: [Float]) -> Int? { scores.indices.max { scores[$0] < scores[$1] } }
        let held = validation == .none ? [] : outcome.heldOut
        let clips = Dictionary(grouping: held, by: \.clip)
        var confusion = classes.map { _ in classes.map { _ in 0 } }
        for (clip, windows) in clips {
            let sums = classes.indices.map { label in windows.reduce(0) { $0 + $1.scores[label] } }
            guard let predicted = best(sums), let truth = classes.firstIndex(of: examples[clip].label) else { continue }
            confusion[truth][predicted] += 1
        }
        let correct = classes.indices.reduce(0) { $0 + confusion[$1][$1] }
        let correctWindows = held.count { best($0.scores).map { classes[$0] } == examples[$0.clip].label }
        return TrainingSummary(
            clips: examples.reduce(into: [:]) { $0[$1.label, default: 0] += 1 }, windows: outcome.windows,
            groups: outcome.groups,
            heldOutClipAccuracy: clips.isEmpty ? nil : Double(correct) / Double(clips.count),
            heldOutWindowAccuracy: clips.isEmpty ? nil : Double(correctWindows) / Double(held.count),
            seed: randomSeed, confusion: clips.isEmpty ? nil : confusion, rounds: outcome.rounds,
            isMirrored: outcome.isMirrored, postureShare: Double(outcome.model.posture?.share ?? 0),
            medianSeconds: examples.map(\.sequence.shownDuration).quantile(0.5),
            hasPeople: examples.contains { $0.person != nil })
    }
}

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
