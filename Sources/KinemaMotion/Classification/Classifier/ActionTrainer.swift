public import KinemaCore

/// Trains a classifier of actions from labelled pose sequences, in about a second.
///
/// Windows are measured from the body itself, so that size, place and camera do not matter; each is turned into some
/// thousand features by random convolutions, and one linear fit weighs them. The same examples and seed give the same
/// classifier on any number of cores.
public struct ActionTrainer: Hashable, Sendable {
    /// A labelled recording of one action.
    public struct Example: Hashable, Sendable {
        /// The movement, at any frame rate.
        public var sequence: PoseSequence
        /// The class.
        public var label: String
        /// Who it shows, when that is known: people are then left out as a whole to see how well strangers are named.
        public var person: String?
        /// Where it comes from, for messages.
        public var source: String

        /// Makes an example from a movement and its class; person and source when they are known.
        public init(_ sequence: PoseSequence, label: String, person: String? = nil, source: String = "") {
            self.sequence = sequence
            self.label = label
            self.person = person
            self.source = source
        }
    }

    /// Frames in a window; 60 by default.
    public var predictionWindowSize = 60
    /// Frames a second; 30 by default. Recordings of other rates are resampled by time.
    public var targetFrameRate = 30.0
    /// Whether left and right mean the same; by default they do not: who plays the violin holds it on the left.
    public var mirrors = false
    /// Where all chance comes from.
    public var randomSeed = 0

    /// Makes a trainer with the defaults.
    public init() {}

    /// Trains on the examples.
    ///
    /// Examples that show nobody, and those longer than a million frames at the target rate, are left out and reported to
    /// the collector. Throws `invalidArgument` when there are fewer than two classes, a class with fewer than two
    /// examples, or a window that makes no sense.
    public func train(
        _ examples: [Example], diagnostics: DiagnosticCollector = DiagnosticCollector(),
        eventHandler: EventHandler? = nil
    ) throws(KinemaError) -> HumanActionClassifier {
        try validate()
        let usable = examples.filter { example in
            guard example.sequence.shareSeen >= Self.leastShareSeen else {
                diagnostics.report(
                    Diagnostic("training.nobody", "nobody was found; the clip is left out", file: example.source))
                return false
            }
            let window = Double(predictionWindowSize) / targetFrameRate
            guard example.sequence.frames(rate: targetFrameRate, window: window) != nil else {
                let message =
                    "more than \(PoseSequence.mostFrames) frames at \(targetFrameRate) a second; the clip is "
                    + "left out, cut it"
                diagnostics.report(Diagnostic("training.long", message, file: example.source))
                return false
            }
            return true
        }
        try check(usable, of: examples)
        let report = { (done: Int, metrics: [MetricsKey: any Sendable]) in
            eventHandler?(
                Event(origin: "ActionTrainer", itemCount: done, totalItemCount: usable.count, metrics: metrics))
        }
        report(0, [:])
        guard
            let outcome = training.fit(
                usable.map { .init(sequence: $0.sequence, label: $0.label, person: $0.person) })
        else {
            throw KinemaError(.analysisFailed, "the clips cannot be told apart; are they all alike?")
        }
        let summary = summary(outcome, usable)
        report(usable.count, summary.heldOutClipAccuracy.map { [.validationAccuracy: $0] } ?? [:])
        return HumanActionClassifier(model: outcome.model, summary: summary)
    }

    /// A clip must show somebody in at least a tenth of its frames.
    private static let leastShareSeen = 0.1

    private func validate() throws(KinemaError) {
        guard (4...10_000).contains(predictionWindowSize) else {
            throw KinemaError(
                .invalidArgument, "a window of \(predictionWindowSize) frames makes no sense; 4 to 10000 do")
        }
        guard targetFrameRate.isFinite, (1...1000).contains(targetFrameRate) else {
            throw KinemaError(.invalidArgument, "\(targetFrameRate) frames a second make no sense; 1 to 1000 do")
        }
    }

    private func check(_ usable: [Example], of all: [Example]) throws(KinemaError) {
        guard Set(usable.map(\.sequence.subject)).count <= 1 else {
            throw KinemaError(.invalidArgument, "the examples mix bodies and hands; train one classifier for each")
        }
        let counts = usable.reduce(into: [String: Int]()) { $0[$1.label, default: 0] += 1 }
        for label in Set(all.map(\.label)).sorted() where counts[label, default: 0] < 2 {
            let number = counts[label] == nil ? "no clip that shows somebody" : "only one clip"
            throw KinemaError(.invalidArgument, "the class \"\(label)\" has \(number); give it at least two")
        }
        guard counts.count >= 2 else {
            let found = counts.keys.first.map { "only \"\($0)\"" } ?? "none"
            throw KinemaError(.invalidArgument, "two classes are needed to tell them apart; there is \(found)")
        }
    }

    private var training: ActionTraining {
        var training = ActionTraining()
        training.length = predictionWindowSize
        training.rate = targetFrameRate
        training.augmentation.mirrors = mirrors
        training.seed = randomSeed
        return training
    }

    private func summary(_ outcome: ActionTraining.Outcome, _ examples: [Example]) -> TrainingSummary {
        let classes = outcome.model.classes
        func best(_ scores: [Float]) -> String? {
            scores.indices.max { scores[$0] < scores[$1] }.map { classes[$0] }
        }
        let clips = Dictionary(grouping: outcome.heldOut, by: \.clip)
        let right = clips.count { clip, windows in
            best(classes.indices.map { label in windows.reduce(0) { $0 + $1.scores[label] } }) == examples[clip].label
        }
        let windowsRight = outcome.heldOut.count { best($0.scores) == examples[$0.clip].label }
        return TrainingSummary(
            clips: examples.reduce(into: [:]) { $0[$1.label, default: 0] += 1 }, windows: outcome.windows,
            groups: outcome.groups,
            heldOutClipAccuracy: clips.isEmpty ? nil : Double(right) / Double(clips.count),
            heldOutWindowAccuracy: clips.isEmpty ? nil : Double(windowsRight) / Double(outcome.heldOut.count),
            seed: randomSeed)
    }
}
