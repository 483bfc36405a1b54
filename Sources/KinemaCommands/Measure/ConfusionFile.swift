import Foundation
import Kinema
import KinemaDraw

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
        let labels = metrics.labels.map(DelimitedText.cell)
        var lines = [(["truth"] + labels + ["precision", "recall"]).joined(separator: ",")]
        for (label, truth) in zip(labels, metrics.labels) {
            let counts = metrics.labels.map { String(metrics.count(predicted: $0, truth: truth)) }
            let shares = [metrics.precision(truth), metrics.recall(truth)].map { share in
                share.map { String(format: "%.4f", $0) } ?? ""
            }
            lines.append(([label] + counts + shares).joined(separator: ","))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
