import Foundation
import Kinema

/// How right a classifier was on labelled clips.
struct ClassifierReport {
    let data: String
    let clips: Int
    var leavingOut: String?
    /// Over all seeds.
    private(set) var metrics = ClassificationMetrics<String>()
    /// One a seed.
    private(set) var accuracies: [Double] = []
    /// Clips that were taken for none of the classes.
    private(set) var rejected = 0
    /// Clips in which nobody was found.
    private(set) var unseen = 0
    /// Wrong clips of the first seed: file, truth, what was said.
    private(set) var mistakes: [String] = []
    private(set) var trainingSeconds: Double?
    private(set) var predictionsPerSecond: Double?

    init(data: String, clips: Int) {
        self.data = data
        self.clips = clips
    }

    /// Judges the clips by a trained classifier.
    mutating func judge(_ examples: [ActionTrainer.Example], by model: HumanActionClassifier) {
        let verdicts = examples.enumerated().compactMap { index, example in
            ActionCrossValidation.Verdict(
                model.prediction(of: example.sequence), index: index, truth: example.label)
        }
        add(verdicts, examples)
    }

    /// Adds what was said of the clips under one seed.
    mutating func add(_ verdicts: [ActionCrossValidation.Verdict], _ examples: [ActionTrainer.Example]) {
        var own = ClassificationMetrics<String>()
        for verdict in verdicts {
            own.add(verdict.said, truth: verdict.truth)
            metrics.add(verdict.said, truth: verdict.truth)
            if verdict.isAccepted { continue }
            rejected += 1
        }
        unseen += examples.count - verdicts.count
        if accuracies.isEmpty {
            mistakes = verdicts.filter { $0.said != $0.truth }.map {
                "\(PlainText.oneLine(examples[$0.index].source)): \($0.truth) taken for \($0.said) "
                    + "(\(Int(clamping: $0.confidence * 100)) %)"
            }
        }
        accuracies.append(own.accuracy)
    }

    /// Times training on all clips, and live predictions on one core.
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
            let counts = metrics.labels.map { padded(String(metrics.count(said: $0, truth: truth))) }
            let shares = [metrics.precision(truth), metrics.recall(truth)].map { share in
                padded(share.map { String(format: "%.3f", $0) } ?? "-")
            }
            lines.append(padded(truth) + counts.joined() + shares.joined())
        }
        lines.append("")
        let way = leavingOut.map { ", leaving out each \($0)" } ?? ""
        lines.append(String(format: "accuracy %.4f (%d of %d clips)\(way)", accuracy, metrics.right, metrics.total))
        if accuracies.count > 1 {
            lines.append(
                "seeds: " + accuracies.map { String(format: "%.4f", $0) }.joined(separator: " ")
                    + String(format: ", spread %.4f", (accuracies.max() ?? 0) - (accuracies.min() ?? 0)))
        }
        lines.append("taken for none of the classes: \(rejected); nobody found: \(unseen)")
        if let trainingSeconds {
            lines.append(String(format: "training on all %d clips: %.2f s", clips, trainingSeconds))
        }
        if let predictionsPerSecond {
            lines.append(String(format: "predictions a second on one core: %.0f", predictionsPerSecond))
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
                        for said in report.metrics.labels {
                            row.integer(report.metrics.count(said: said, truth: truth))
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
