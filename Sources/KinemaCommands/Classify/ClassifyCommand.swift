import ArgumentParser
import Foundation
import Kinema

/// `kinema classify`: what is done when, by a trained classifier.
struct ClassifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify", abstract: "Names what is done in a video, by a trained classifier.",
        discussion: """
            Prints the stretches of each action. With --format jsonl also every prediction as soon as it is made, so \
            that a live input can be followed. What is none of the classes has no label.
            """)

    @Argument(
        help:
            "A video, a pose sequence (.jsonl, .csv, .npy, .json, each also .gz), camera, a stream, or - for standard input."
    )
    var input: String

    @OptionGroup var live: LiveOptionGroup

    @Option(help: "The classifier that kinema train wrote.")
    var classifier: String

    @Option(help: "Seconds from one prediction to the next; by default a sixth of the window.")
    var interval: Double?

    @Option(help: "Below that probability (0 to 1) it is none of the classes; by default as training chose.")
    var threshold: Double?

    @Option(help: "Frames a second of sequences that do not tell their own (.csv, .npy, .json).")
    var sourceRate = 30.0

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "What standard output gets: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func validate() throws {
        if let interval, !(0.001...3600).contains(interval) { throw ValidationError("--interval takes 0.001 to 3600") }
        if let threshold, !(0...1).contains(threshold) { throw ValidationError("--threshold takes 0 to 1") }
        guard (1...1000).contains(sourceRate) else { throw ValidationError("--source-rate takes 1 to 1000") }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var model = try HumanActionClassifier(contentsOf: URL(filePath: classifier))
            if let threshold { model.rejectionThreshold = threshold }
            let choice = live.choice(input)
            let url = URL(filePath: input)
            let report: AnalysisReport<ClassifyResult>
            if input != "-", !input.contains("://"), PoseSequenceReader.isSequence(url) {
                let sequence = try PoseSequenceReader(rate: sourceRate).read(contentsOf: url)
                report = try judge(sequence, model, source: choice.source)
            } else {
                var configuration = ClassifyAnalysis.Configuration(classifier: model)
                if model.subject == .body { configuration.pipeline = body.pipeline }
                configuration.interval = interval
                configuration.tellsPredictions = true
                let events = StandardOutput().events(in: format)
                let outcome = try await InputRunner(input: choice).run(
                    ClassifyAnalysis(configuration), interruption,
                    onEvent: { event in if case .prediction = event { try events?(event) } })
                Console.shared.endProgress()
                Console.shared.warn(outcome.diagnostics)
                report = outcome.report
            }
            try StandardOutput().write(report, as: format)
            if report.run.framesWithSomeone == 0, !interruption.isRaised {
                throw Console.shared.nobody(in: choice.source)
            }
        }
    }

    /// Judges a sequence found earlier.
    private func judge(
        _ sequence: PoseSequence, _ model: HumanActionClassifier, source: String
    ) throws -> AnalysisReport<ClassifyResult> {
        var recognizer = ActionRecognizer(model, aspectRatio: 1, interval: interval)
        var run = AnalysisRun(source: source)
        run.frames = sequence.count
        run.framesWithSomeone = Int((sequence.shareSeen * Double(sequence.count)).rounded())
        run.duration = sequence.duration
        let events = StandardOutput().events(in: format)
        for (time, prediction) in recognizer.append(contentsOf: sequence) {
            try events?(.prediction(PredictionResult(prediction, at: time)))
        }
        return AnalysisReport(run: run, result: ClassifyResult(segments: recognizer.segments().map(SegmentResult.init)))
    }
}
