public import ArgumentParser
import Foundation
public import Kinema

struct ClassifyCommand: AsyncParsableCommand, CheckedCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify", abstract: "Recognises the actions in a video with a trained classifier.",
        discussion: """
            Prints when each action begins and ends. --format jsonl also prints every prediction as soon as it is made, to \
            follow a live input. An action that is none of the classes has no label; one shorter than half a window, or half a \
            typical training clip, is not reported. A classifier trained with --hands detects \
            hands instead of bodies. A neural network in ONNX takes a window of joints and returns a number for each class; \
            Documentation/classifiers.md lists the supported shapes and metadata.
            """)

    @Argument(
        help:
            "A video, a stored pose sequence as kinema count reads it (.jsonl, .csv, .npy, .json, .trc, …), a camera, a stream, or - for standard input."
    )
    var input: String

    @OptionGroup var live: LiveOptionGroup

    @Option(help: "The classifier: a file written by kinema train, or a neural network in ONNX (.onnx).")
    var classifier: String

    @OptionGroup var network: NetworkOptionGroup

    @Option(help: "Seconds from one prediction to the next. (default: a sixth of the window)")
    var interval: Double?

    @Option(help: "The probability, 0 to 1, below which an action is none of the classes. (default: from training)")
    var threshold: Double?

    @Option(
        name: [.customLong("fps"), .customLong("source-rate")],
        help: "Frames per second of stored sequences without times.")
    var sourceRate = 30.0

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var results: FormatOptionGroup

    func validate() throws {
        try require(interval, in: 0.001...3600, "--interval")
        try require(threshold, in: 0...1, "--threshold")
        try require(sourceRate, in: 1...1000, "--fps")
    }

    func check() throws { _ = try network.classifier(classifier) }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var model = try network.classifier(classifier)
            if model.subject == .hand { try body.refuseBodies("this classifier is for hands") }
            if let threshold { model.rejectionThreshold = threshold }
            let choice = live.choice(input)
            let report: AnalysisReport<ClassifyResult>
            if let file = choice.poseFile {
                var reader = PoseSequenceReader(subject: model.subject, joints: model.joints, rate: sourceRate)
                let diagnostics = DiagnosticCollector()
                reader.diagnostics = diagnostics
                if case .speed(let speed) = try choice.timed(choice.timing).timing { reader.speed = speed }
                if let option = live.turn.option { throw choice.refusal(of: option, PoseFileOptionGroup.noFrames) }
                let (sequence, note) = try reader.readNoted(file)
                var judged = try judge(sequence.every(choice.every), model, source: choice.source)
                judged.run.note = note
                report = judged
                Console.shared.warn(diagnostics.diagnostics + (report.shortage.map { [$0] } ?? []))
            } else {
                var configuration = ClassifyAnalysis.Configuration(classifier: model)
                configuration.pipeline = model.subject == .hand ? body.handPipeline : try body.pipeline
                configuration.interval = interval
                configuration.reportsPredictions = true
                let events = StandardOutput().events(in: results.format)
                let outcome = try await InputRunner(input: choice).run(
                    ClassifyAnalysis(configuration), interruption,
                    onEvent: { event in if case .prediction = event { try events?(event) } })
                Console.shared.endProgress()
                Console.shared.warn(outcome.diagnostics)
                report = outcome.report
            }
            try StandardOutput().write(report, as: results.format)
            if report.run.framesWithDetections == 0, !interruption.isRaised {
                throw Console.shared.nobody(
                    in: choice.source, "no \(model.subject == .hand ? "hand" : "person") was found")
            }
        }
    }

    private func judge(
        _ sequence: PoseSequence, _ model: any ActionClassifier, source: String
    ) throws -> AnalysisReport<ClassifyResult> {
        var recognizer = ActionRecognizer(model, aspectRatio: 1, interval: interval)
        var run = AnalysisRun(source: source)
        run.frames = sequence.count
        run.framesWithDetections = Int((sequence.visibleFraction * Double(sequence.count)).rounded())
        run.duration = sequence.duration
        run.neededSeconds = model.minimumDuration
        let events = StandardOutput().events(in: results.format)
        for (time, prediction) in recognizer.append(contentsOf: sequence) {
            try events?(.prediction(PredictionResult(prediction, at: time)))
        }
        return AnalysisReport(run: run, result: ClassifyResult(segments: recognizer.segments().map(SegmentResult.init)))
    }
}

extension PoseCoordinates: ExpressibleByArgument {}
