import Foundation
public import KinemaCore

/// Trains an action classifier from labelled pose sequences, in about a second.
///
/// Windows are normalised by the body's own position and size, so the camera does not matter. Random convolutions turn
/// each window into a few thousand features, and one linear fit weights them. The same examples and seed give the same
/// classifier on any number of cores.
public struct ActionTrainer: Hashable, Sendable {
    /// A labelled recording of one action.
    public struct Example: Hashable, Sendable {
        /// The movement, at any frame rate.
        public var sequence: PoseSequence
        /// The class.
        public var label: String
        /// The person it shows, if known: people are held out as a whole, to measure accuracy on strangers.
        public var person: String?
        /// The source, for messages.
        public var source: String

        /// Makes an example from a movement and its class, with person and source if known.
        public init(_ sequence: PoseSequence, label: String, person: String? = nil, source: String = "") {
            self.sequence = sequence
            self.label = label
            self.person = person
            self.source = source
        }
    }

    /// Frames in a window; 60 by default.
    public var predictionWindowSize = 60
    /// Frames per second; 30 by default. Recordings at other rates are resampled.
    public var targetFrameRate = 30.0
    /// Whether mirrored movements belong to the same class; off by default, because a violin is always held on the
    /// left.
    public var mirrors = false
    /// The seed of all random numbers.
    public var randomSeed = 0

    /// Makes a trainer with the defaults.
    public init() {}

    /// Trains on the examples.
    ///
    /// Examples that show nobody, or are longer than a million frames at the target rate, are dropped and reported to
    /// the collector. Throws `invalidArgument` for fewer than two classes, for a class with fewer than two examples and
    /// for a window size or frame rate out of range.
    public func train(
        _ examples: [Example], diagnostics: DiagnosticCollector = DiagnosticCollector(),
        eventHandler: EventHandler? = nil
    ) throws(KinemaError) -> HumanActionClassifier {
        try validate()
        let usable = examples.filter { example in
            guard example.sequence.visibleFraction >= Self.minimumVisibleFraction else {
                let found = example.sequence.subject == .hand ? "no hand" : "nobody"
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
        let report = { (done: Int, metrics: [MetricsKey: any Sendable]) in
            eventHandler?(
                Event(origin: "ActionTrainer", itemCount: done, totalItemCount: usable.count, metrics: metrics))
        }
        report(0, [:])
        guard
            let outcome = training.fit(
                usable.map { .init(sequence: $0.sequence, label: $0.label, person: $0.person) })
        else {
            throw KinemaError(.analysisFailed, "the clips of different classes look the same; check the labels")
        }
        let summary = summary(outcome, usable)
        report(usable.count, summary.heldOutClipAccuracy.map { [.validationAccuracy: $0] } ?? [:])
        return HumanActionClassifier(model: outcome.model, summary: summary)
    }

    /// A clip must show somebody in at least a tenth of its frames.
    private static let minimumVisibleFraction = 0.1

    private func validate() throws(KinemaError) {
        guard (4...10_000).contains(predictionWindowSize) else {
            throw KinemaError(
                .invalidArgument, "a window cannot have \(predictionWindowSize) frames; use 4 to 10000")
        }
        guard targetFrameRate.isFinite, (1...1000).contains(targetFrameRate) else {
            throw KinemaError(.invalidArgument, "the frame rate cannot be \(targetFrameRate); use 1 to 1000")
        }
    }

    private func check(_ usable: [Example], of all: [Example]) throws(KinemaError) {
        guard Set(usable.map(\.sequence.subject)).count <= 1 else {
            throw KinemaError(
                .invalidArgument, "the examples mix bodies and hands; train a separate classifier for each")
        }
        let counts = usable.reduce(into: [String: Int]()) { $0[$1.label, default: 0] += 1 }
        for label in Set(all.map(\.label)).sorted() where counts[label, default: 0] < 2 {
            let whom = all.first?.sequence.subject == .hand ? "a hand" : "somebody"
            let problem = counts[label] == nil ? "no clip that shows \(whom)" : "only one clip"
            throw KinemaError(.invalidArgument, "the class \"\(label)\" has \(problem); add at least two")
        }
        guard counts.count >= 2 else {
            let found = counts.keys.first.map { "only \"\($0)\"" } ?? "none"
            throw KinemaError(.invalidArgument, "at least two classes are needed; there is \(found)")
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
        let correct = clips.count { clip, windows in
            best(classes.indices.map { label in windows.reduce(0) { $0 + $1.scores[label] } }) == examples[clip].label
        }
        let correctWindows = outcome.heldOut.count { best($0.scores) == examples[$0.clip].label }
        return TrainingSummary(
            clips: examples.reduce(into: [:]) { $0[$1.label, default: 0] += 1 }, windows: outcome.windows,
            groups: outcome.groups,
            heldOutClipAccuracy: clips.isEmpty ? nil : Double(correct) / Double(clips.count),
            heldOutWindowAccuracy: clips.isEmpty ? nil : Double(correctWindows) / Double(outcome.heldOut.count),
            seed: randomSeed)
    }
}

/// The training algorithm: windows, augmentation, features, the linear fit, calibration and rejection limits.
struct ActionTraining: Sendable {
    /// A clip to train on.
    struct Example: Sendable {
        var sequence: PoseSequence
        var label: String
        /// Clips of one person are held out together for calibration; nil makes the clip its own group.
        var person: String?
    }

    /// The result of training.
    struct Outcome: Sendable {
        var model: ActionModel
        /// The number of training windows, without augmented copies.
        var windows: Int
        var groups: Int
        /// The scores of windows whose group was held out, with their clips.
        var heldOut: [(clip: Int, scores: [Float])]
    }

    /// Frames in a window.
    var length = 60
    /// Frames per second.
    var rate = 30.0
    /// The number of random convolutions; three times as many improved accuracy on held-out people by at most 0.2 %.
    var units = 100
    /// The number of augmented copies of each window.
    var copies = 1
    var augmentation = Augmentation()
    /// See `RidgeTraining`.
    var penalty: Float = 0.7
    var seed = 0
    /// How many windows cover each moment.
    var overlap = 2
    /// See `RidgeTraining`.
    var maximumHeldOut = 1200

    private struct Window {
        var window: MotionWindow
        var clip: Int
    }

    /// Trains a model; nil if no window shows anybody or the fit has no solution.
    func fit(_ examples: [Example]) -> Outcome? {
        guard let subject = examples.first?.sequence.subject else { return nil }
        let classes = Set(examples.map(\.label)).sorted()
        let cut = windows(of: examples)
        guard !cut.isEmpty else { return nil }
        let meanPositions = MotionWindow.meanPositions(in: cut.map(\.window), of: subject)
        let all = cut + augmented(cut)
        let series = parallel(all.count) { all[$0].window.series(missing: meanPositions) }
        var bank = FeatureBank(units: units, channels: series[0].channels, length: length, seed: seed)
        bank.fitBiases(series, seed: seed)
        let features = bank.features(of: series)
        let labels = all.map { classes.firstIndex(of: examples[$0.clip].label) ?? 0 }
        let people = examples.enumerated().map { $1.person.map { "person \($0)" } ?? "clip \($0)" }
        let groups = Dictionary(uniqueKeysWithValues: Set(people).sorted().enumerated().map { ($1, $0) })
        var training = RidgeTraining()
        training.penalty = penalty
        training.maximumHeldOut = maximumHeldOut
        guard
            let fit = training.fit(
                features, labels: labels, groups: all.map { groups[people[$0.clip]] ?? 0 }, classes: classes.count)
        else { return nil }
        let held = fit.heldOut.filter { $0.row < cut.count }.map { (clip: all[$0.row].clip, scores: $0.scores) }
        var model = ActionModel(
            subject: subject, classes: classes, length: length, rate: rate, usual: meanPositions, bank: bank,
            ridge: fit.classifier)
        model.calibrate(held, labels: examples.map { classes.firstIndex(of: $0.label) ?? 0 })
        model.fitStrangenessLimit(features[..<cut.count])
        return Outcome(model: model, windows: cut.count, groups: groups.count, heldOut: held)
    }

    private func windows(of examples: [Example]) -> [Window] {
        let slidingWindow = SlidingWindow(length: length, step: max(1, length / overlap))
        return parallel(examples.count) { clip in
            let steady = examples[clip].sequence.resampled(rate: rate, window: Double(length) / rate)
            return steady.map(slidingWindow.windows)?.map { Window(window: $0.window, clip: clip) } ?? []
        }.flatMap(\.self)
    }

    private func augmented(_ windows: [Window]) -> [Window] {
        parallel(windows.count * copies) { index in
            var random = RandomSource(seed, item: index)
            let source = windows[index % windows.count]
            let mirrored = augmentation.mirrors && random.chance(0.5)
            return Window(
                window: augmentation.augmented(source.window, mirrored: mirrored, &random), clip: source.clip)
        }
    }
}

/// How a classifier was trained and how accurate it was on held-out examples.
public struct TrainingSummary: Hashable, Sendable, Codable {
    /// The number of training clips in each class.
    public var clips: [String: Int]
    /// The number of training windows, without augmented copies.
    public var windows: Int
    /// The number of groups held out: people, or clips if people are unknown.
    public var groups: Int
    /// The share of clips classified correctly by a fit without their group; nil if nothing was held out.
    public var heldOutClipAccuracy: Double?
    /// The same for single windows.
    public var heldOutWindowAccuracy: Double?
    /// The seed of all random numbers.
    public var seed: Int
}
