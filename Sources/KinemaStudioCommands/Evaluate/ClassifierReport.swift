import Foundation
import KinemaCommands
import Kinema
import KinemaDraw

struct ClassifierReport {
    let clips: Int
    var leavingOut: String?
    private(set) var metrics = ClassificationMetrics<String>()
    private(set) var accuracies: [Double] = []
    private(set) var rejected = 0, unseen = 0
    /// The misclassified clips of the first seed: file, truth and prediction.
    private(set) var mistakes: [String] = []
    private(set) var trainingSeconds, predictionsPerSecond: Double?

    mutating func evaluate(_ examples: [ActionTrainer.Example], by model: any ActionClassifier) {
        let predictions = examples.enumerated().compactMap { index, example in
            ActionCrossValidation.HeldOutPrediction(
                model.prediction(of: example.sequence), index: index, truth: example.label)
        }
        add(predictions, examples)
    }

    mutating func add(_ predictions: [ActionCrossValidation.HeldOutPrediction], _ examples: [ActionTrainer.Example]) {
        var own = ClassificationMetrics<String>()
        for prediction in predictions {
            own.add(prediction.predicted, truth: prediction.truth)
            metrics.add(prediction.predicted, truth: prediction.truth)
            if !prediction.isAccepted { rejected += 1 }
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

    var accuracy: Double { accuracies.isEmpty ? 0 : accuracies.reduce(0, +) / Double(accuracies.count) }

    func write(_ format: OutputFormat) throws {
        switch format {
        case .text: try StandardOutput().line(text)
        case .csv: try StandardOutput().write(Array(ConfusionFile.table(metrics).utf8))
        case .json, .jsonl:
            try StandardOutput().jsonLine { $0.report(self) }
        }
    }

    private var text: String {
        var lines = mistakes
        lines.append("")
        let width = max(10, (metrics.labels.map(\.count).max() ?? 0) + 1)
        func padded(_ text: String) -> String { String(repeating: " ", count: max(1, width - text.count)) + text }
        lines.append(padded("truth") + metrics.labels.map(padded).joined() + padded("precision") + padded("recall"))
        lines += metrics.labels.map { metrics.row($0, decimals: 3, absent: "-").map(padded).joined() }
        lines.append("")
        let method = leavingOut.map { ", leaving out each \($0)" } ?? ""
        lines.append(
            String(format: "accuracy %.4f (%d of %d clips)\(method)", accuracy, metrics.correct, metrics.total))
        if accuracies.count > 1 {
            lines.append(
                "seeds: " + accuracies.map { String(format: "%.4f", $0) }.joined(separator: " ")
                    + String(format: ", spread %.4f", (accuracies.max() ?? 0) - (accuracies.min() ?? 0)))
        }
        lines.append("none of the classes: \(rejected); no person found: \(unseen)")
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
        let (metrics, labels) = (report.metrics, report.metrics.labels)
        object { json in
            json.field("classes", strings: labels)
            json.field("accuracy", report.accuracy, decimals: 6)
            json.field("accuracies", numbers: report.accuracies, decimals: 6)
            json.field("clips", report.clips)
            json.field("rejected", report.rejected)
            json.field("unseen", report.unseen)
            json.object("precision") { list in
                for label in labels { list.field(label, metrics.precision(label), decimals: 4) }
            }
            json.object("recall") { list in
                for label in labels { list.field(label, metrics.recall(label), decimals: 4) }
            }
            json.array("confusion") { rows in
                for truth in labels {
                    rows.array { row in labels.forEach { row.integer(metrics.count(predicted: $0, truth: truth)) } }
                }
            }
            json.field("trainingSeconds", report.trainingSeconds, decimals: 4)
            json.field("predictionsPerSecond", report.predictionsPerSecond, decimals: 4)
        }
    }
}

enum ConfusionFile {
    static let endings = ["csv", "png", "jpg", "jpeg"]

    static func write(_ metrics: ClassificationMetrics<String>, to url: URL) throws {
        guard url.pathExtension.lowercased() == "csv" else {
            let counts = metrics.labels.map { truth in metrics.labels.map { metrics.count(predicted: $0, truth: truth) }
            }
            let title = String(
                format: "%d of %d correct (%.1f %%)", metrics.correct, metrics.total, metrics.accuracy * 100)
            return try ImageWriter.write(
                try ConfusionChart(labels: metrics.labels, counts: counts, title: title).bitmap(), to: url)
        }
        try AtomicFile.write(Array(table(metrics).utf8), to: url)
    }

    /// One row per true class, one column per predicted class, then precision and recall.
    static func table(_ metrics: ClassificationMetrics<String>) -> String {
        DelimitedText.table(
            [["truth"] + metrics.labels + ["precision", "recall"]]
                + metrics.labels.map { metrics.row($0, decimals: 4, absent: "") })
    }
}

extension ClassificationMetrics<String> {
    /// A true class, its counts by predicted class, its precision and its recall.
    fileprivate func row(_ truth: String, decimals: Int, absent: String) -> [String] {
        let shares = [precision(truth), recall(truth)].map { $0?.text(decimals) ?? absent }
        return [truth] + labels.map { String(count(predicted: $0, truth: truth)) } + shares
    }
}
