import ArgumentParser
import Foundation
import Kinema

/// `kinema train`: a classifier of actions from labelled clips.
struct TrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train", abstract: "Trains a classifier of actions on labelled clips.",
        discussion: """
            DATA is a folder that holds a folder of clips for each class, or a table (.csv) with the columns file and \
            label and optionally start, end (seconds) and person; files lie beside the table. A clip is a video or a \
            pose sequence: lines of kinema pose --format jsonl, BODY_25 (.csv), arrays of 18 or 17 joints (.npy, .json), \
            each also packed (.gz).
            """)

    @Argument(help: "A folder with a folder for each class, or a table of clips.")
    var data: String

    @Option(name: .shortAndLong, help: "The classifier to write.")
    var output: String

    @OptionGroup var training: TrainingOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "What standard output gets: text or json.")
    var format = OutputFormat.text

    func validate() throws {
        guard format == .text || format == .json else { throw ValidationError("--format takes text or json here") }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let clips = try LabelledClip.read(data)
            let target = URL(filePath: output)
            try OutputPlace.check(output)
            let reader = ClipReader(pipeline: body.pipeline, rate: training.sourceRate)
            let examples = try await reader.examples(clips, interruption)
            let diagnostics = DiagnosticCollector()
            let started = ContinuousClock.now
            let classifier = try training.trainer.train(examples, diagnostics: diagnostics) { event in
                Console.shared.progress(event.itemCount, of: event.totalItemCount, note: "learning")
            }
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            Console.shared.endProgress()
            Console.shared.warn(diagnostics.diagnostics)
            try classifier.write(to: target)
            try write(classifier, seconds: seconds)
        }
    }

    private func write(_ classifier: HumanActionClassifier, seconds: Double) throws {
        let summary = classifier.summary
        guard format == .text else {
            var json = JSONText()
            json.trained(classifier, seconds: seconds)
            json.newline()
            return try StandardOutput().write(json.bytes)
        }
        let clips = summary.clips.values.reduce(0, +)
        var lines = [
            "\(PlainText.oneLine(output)): \(PlainText.counted(classifier.classes.count, "class", "classes")) from "
                + "\(PlainText.counted(clips, "clip")) (\(PlainText.counted(summary.windows, "window"))), "
                + String(format: "trained in %.2f s", seconds)
        ]
        lines += classifier.classes.map {
            "  \(PlainText.oneLine($0)): \(PlainText.counted(summary.clips[$0] ?? 0, "clip"))"
        }
        if let accuracy = summary.heldOutClipAccuracy {
            lines.append(
                String(format: "named right when left out: %.1f %% of the clips, ", accuracy * 100)
                    + String(format: "%.1f %% of the windows", (summary.heldOutWindowAccuracy ?? 0) * 100))
        }
        try StandardOutput().line(lines.joined(separator: "\n"))
    }
}

extension JSONText {
    fileprivate mutating func trained(_ classifier: HumanActionClassifier, seconds: Double) {
        let summary = classifier.summary
        object { json in
            json.key("classes")
            json.array { list in classifier.classes.forEach { list.string($0) } }
            json.key("clips")
            json.object { counts in
                for label in classifier.classes {
                    counts.key(label)
                    counts.integer(summary.clips[label] ?? 0)
                }
            }
            json.key("windows")
            json.integer(summary.windows)
            json.key("window")
            json.integer(classifier.predictionWindowSize)
            json.key("rate")
            json.number(classifier.targetFrameRate)
            json.key("seconds")
            json.number(seconds, decimals: 3)
            json.key("accuracy")
            if let accuracy = summary.heldOutClipAccuracy { json.number(accuracy) } else { json.null() }
        }
    }
}
