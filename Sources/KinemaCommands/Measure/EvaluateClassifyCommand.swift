import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

/// `kinema evaluate classify DATA`: the accuracy of action classification on clips that were not trained on.
struct EvaluateClassifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify", abstract: "Measures the accuracy of action classification.",
        discussion: """
            DATA is the same as for kinema train. Without --classifier, this cross-validates: it trains repeatedly \
            without some of the clips and classifies those. It leaves out one person at a time if the table names \
            people, and a tenth of the clips otherwise. With --classifier, it evaluates that classifier.
            """)

    /// The unit of cross-validation.
    enum Left: String, ExpressibleByArgument, CaseIterable {
        case person, clip, tenth, block
    }

    @Argument(help: "A folder with a folder for each class, or a table of clips.")
    var data: String

    @Option(help: "Evaluate this classifier (kinema train, or .onnx) instead of training.")
    var classifier: String?

    @OptionGroup var network: NetworkOptionGroup

    @Option(
        help: """
            What to leave out in each round: person, clip, tenth, or block (a fifth of each class, neighbours by the numbers in \
            their file names).
            """)
    var leaveOut: Left?

    @Option(help: "Train with this many seeds, from --seed on, and print the mean and the spread.")
    var seeds = 1

    @Option(help: "Also write the confusion matrix, as a table (.csv) or a picture (.png, .jpg).")
    var confusion: [String] = []

    @OptionGroup var training: TrainingOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "Output format: text, json or csv.")
    var format = OutputFormat.text

    func validate() throws {
        guard (1...100).contains(seeds) else { throw ValidationError("--seeds takes 1 to 100") }
        guard training.seed <= Int.max - seeds else { throw ValidationError("--seed takes at most \(Int.max - seeds)") }
        guard format != .jsonl else { throw ValidationError("--format takes text, json or csv") }
        for path in confusion where !ConfusionFile.endings.contains(URL(filePath: path).pathExtension.lowercased()) {
            throw ValidationError("--confusion writes .csv, .png or .jpg")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let clips = try LabelledClip.read(data)
            for path in confusion { try OutputPlace.check(path) }
            let model = try classifier.map { try network.classifier($0) }
            let isHand = model?.subject == .hand
            let reader = ClipReader(
                subject: isHand ? .hand : .body, joints: model?.joints,
                pipeline: isHand ? body.handPipeline : try body.pipeline, rate: training.sourceRate)
            let examples = try await reader.examples(clips, strict: training.strict, interruption)
            var report = ClassifierReport(data: data, clips: examples.count)
            if let model {
                report.evaluate(examples, by: model)
            } else {
                try crossValidate(examples, into: &report, interruption)
            }
            Console.shared.endProgress()
            var files = SideFiles()
            files.write { try report.write(format) }
            for path in confusion { files.write { try ConfusionFile.write(report.metrics, to: URL(filePath: path)) } }
            try files.conclude()
        }
    }

    private func crossValidate(
        _ examples: [ActionTrainer.Example], into report: inout ClassifierReport, _ interruption: Interruption
    ) throws {
        let hasPeople = examples.contains { $0.person != nil }
        let left = leaveOut ?? (hasPeople ? .person : .tenth)
        report.leavingOut = left.rawValue
        for seed in training.seed..<training.seed + seeds {
            var trainer = training.trainer
            trainer.randomSeed = seed
            let split: CrossValidationSplit =
                switch left {
                case .person: .person
                case .clip: .clip
                case .tenth: .folds(10)
                case .block: .blocks(5)
                }
            do {
                let predictions = try ActionCrossValidation(trainer, split: split).predictions(examples) { done, all in
                    Console.shared.progress(done, of: all, note: "cross-validating")
                    if interruption.isRaised { throw CancellationError() }
                }
                report.add(predictions, examples)
            } catch is CancellationError where seed > training.seed {
                // The report is of the seeds so far.
                return
            }
        }
        try report.time(training.trainer, examples)
    }
}

/// The accuracy of a classifier on labelled clips.
struct ClassifierReport {
    let data: String
    let clips: Int
    var leavingOut: String?
    /// The confusion matrix over all seeds.
    private(set) var metrics = ClassificationMetrics<String>()
    /// The accuracy for each seed.
    private(set) var accuracies: [Double] = []
    /// The number of clips rejected as none of the classes.
    private(set) var rejected = 0
    /// The number of clips in which nobody was found.
    private(set) var unseen = 0
    /// The misclassified clips of the first seed: file, truth and prediction.
    private(set) var mistakes: [String] = []
    private(set) var trainingSeconds: Double?
    private(set) var predictionsPerSecond: Double?

    init(data: String, clips: Int) {
        self.data = data
        self.clips = clips
    }

    /// Classifies the clips with a trained classifier.
    mutating func evaluate(_ examples: [ActionTrainer.Example], by model: any ActionClassifier) {
        let predictions = examples.enumerated().compactMap { index, example in
            ActionCrossValidation.HeldOutPrediction(
                model.prediction(of: example.sequence), index: index, truth: example.label)
        }
        add(predictions, examples)
    }

    /// Adds the predictions for the clips under one seed.
    mutating func add(_ predictions: [ActionCrossValidation.HeldOutPrediction], _ examples: [ActionTrainer.Example]) {
        var own = ClassificationMetrics<String>()
        for prediction in predictions {
            own.add(prediction.predicted, truth: prediction.truth)
            metrics.add(prediction.predicted, truth: prediction.truth)
            if prediction.isAccepted { continue }
            rejected += 1
        }
        unseen += examples.count - predictions.count
        if accuracies.isEmpty {
            mistakes = predictions.filter { $0.predicted != $0.truth }.map {
                "\(PlainText.oneLine(examples[$0.index].source)): \($0.truth) classified as \($0.predicted) "
                    + "(\(Int(clamping: $0.confidence * 100)) %)"
            }
        }
        accuracies.append(own.accuracy)
    }

    /// Measures the time of training on all clips and of live predictions on one core.
    mutating func time(_ trainer: ActionTrainer, _ examples: [ActionTrainer.Example]) throws {
        let started = ContinuousClock.now
        let classifier = try trainer.train(examples)
        trainingSeconds = (ContinuousClock.now - started) / .seconds(1)
        var recognizer = ActionRecognizer(classifier, aspectRatio: 1, interval: 0)
        var predictions = 0
        let live = ContinuousClock.now
        for example in examples where ContinuousClock.now - live < .milliseconds(500) {
            recognizer = ActionRecognizer(classifier, aspectRatio: 1, interval: 0)
            predictions += recognizer.append(contentsOf: example.sequence).count
        }
        let seconds = (ContinuousClock.now - live) / .seconds(1)
        if predictions > 0 { predictionsPerSecond = Double(predictions) / seconds }
    }

    /// The mean over all seeds.
    var accuracy: Double { accuracies.isEmpty ? 0 : accuracies.reduce(0, +) / Double(accuracies.count) }

    /// Writes the report to standard output.
    func write(_ format: OutputFormat) throws {
        switch format {
        case .text: try StandardOutput().line(text)
        case .csv: try StandardOutput().write(Array(ConfusionFile.table(metrics).utf8))
        case .json, .jsonl:
            var json = JSONText()
            json.report(self)
            json.newline()
            try StandardOutput().write(json.bytes)
        }
    }

    private var text: String {
        var lines = mistakes
        lines.append("")
        let width = max(10, (metrics.labels.map(\.count).max() ?? 0) + 1)
        func padded(_ text: String) -> String { String(repeating: " ", count: max(1, width - text.count)) + text }
        lines.append(padded("truth") + metrics.labels.map(padded).joined() + padded("precision") + padded("recall"))
        for truth in metrics.labels {
            let counts = metrics.labels.map { padded(String(metrics.count(predicted: $0, truth: truth))) }
            let shares = [metrics.precision(truth), metrics.recall(truth)].map { share in
                padded(share.map { String(format: "%.3f", $0) } ?? "-")
            }
            lines.append(padded(truth) + counts.joined() + shares.joined())
        }
        lines.append("")
        let method = leavingOut.map { ", leaving out each \($0)" } ?? ""
        lines.append(
            String(format: "accuracy %.4f (%d of %d clips)\(method)", accuracy, metrics.correct, metrics.total))
        if accuracies.count > 1 {
            lines.append(
                "seeds: " + accuracies.map { String(format: "%.4f", $0) }.joined(separator: " ")
                    + String(format: ", spread %.4f", (accuracies.max() ?? 0) - (accuracies.min() ?? 0)))
        }
        lines.append("none of the classes: \(rejected); nobody found: \(unseen)")
        if let trainingSeconds {
            lines.append(String(format: "training on all %d clips: %.2f s", clips, trainingSeconds))
        }
        if let predictionsPerSecond {
            lines.append(String(format: "predictions per second on one core: %.0f", predictionsPerSecond))
        }
        return lines.joined(separator: "\n")
    }
}

extension JSONText {
    fileprivate mutating func report(_ report: ClassifierReport) {
        object { json in
            json.key("classes")
            json.array { list in report.metrics.labels.forEach { list.string($0) } }
            json.key("accuracy")
            json.number(report.accuracy, decimals: 6)
            json.key("accuracies")
            json.numbers(report.accuracies, decimals: 6)
            json.key("clips")
            json.integer(report.clips)
            json.key("rejected")
            json.integer(report.rejected)
            json.key("unseen")
            json.integer(report.unseen)
            json.key("precision")
            json.shares(report.metrics.labels.map { ($0, report.metrics.precision($0)) })
            json.key("recall")
            json.shares(report.metrics.labels.map { ($0, report.metrics.recall($0)) })
            json.key("confusion")
            json.array { rows in
                for truth in report.metrics.labels {
                    rows.array { row in
                        for predicted in report.metrics.labels {
                            row.integer(report.metrics.count(predicted: predicted, truth: truth))
                        }
                    }
                }
            }
            json.key("trainingSeconds")
            json.optional(report.trainingSeconds)
            json.key("predictionsPerSecond")
            json.optional(report.predictionsPerSecond)
        }
    }

    private mutating func shares(_ values: [(String, Double?)]) {
        object { json in
            for (label, value) in values {
                json.key(label)
                json.optional(value)
            }
        }
    }

    private mutating func optional(_ value: Double?) {
        if let value { number(value, decimals: 4) } else { null() }
    }
}
