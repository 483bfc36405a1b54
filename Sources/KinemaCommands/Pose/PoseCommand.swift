import ArgumentParser
import Foundation
import Kinema

/// `kinema pose`: the poses of everyone in every frame.
struct PoseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pose", abstract: "Finds the bodies of everyone in every frame, and hands.",
        discussion: "Coordinates are normalised with the origin at the lower left; times are seconds.")

    @OptionGroup var media: MediaOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var choice: BodyModelOptionGroup

    @Flag(help: "Find hands too: 21 joints each, whose they are, left or right.")
    var hands = false

    @Option(help: "The most hands that are followed at once, with --hands.")
    var maxHands = 2

    @Flag(name: .customLong("no-bodies"), help: "With --hands: find nothing but hands, in half the time.")
    var leavesBodiesOut = false

    @Option(help: "Also write the poses as coco, openpose, csv, trc or (joint angles) mot to --output.")
    var export: PoseExportFormat?

    @Option(help: "Where --export writes: a file, or a folder for openpose.")
    var output: String?

    func validate() throws {
        guard hands || !leavesBodiesOut else { throw ValidationError("--no-bodies goes with --hands") }
        guard (1...100).contains(maxHands) else { throw ValidationError("--max-hands takes 1 to 100") }
        guard (export == nil) == (output == nil) else {
            throw ValidationError("--export and --output go together")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var runner = InputRunner(input: media.choice, overlay: media.overlay)
            // Exports are written at the end; a place that is none is told before the work.
            if export == .openpose { runner.outputFolders = [output].compactMap(\.self) }
            if export != .openpose { runner.outputs = [output].compactMap(\.self) }
            var results = PoseResults(format: media.format, source: media.choice.source)
            let notes = DiagnosticCollector()
            var writer = output.flatMap {
                export?.makeExport(to: URL(filePath: $0), source: media.choice.source, diagnostics: notes)
            }
            let outcome = try await runner.run(
                PoseAnalysis(pipeline: pipeline()), interruption,
                onFrame: { seen, index in
                    let frame = ExportedFrame(
                        index: index, time: seen.frame.time, width: seen.frame.width, height: seen.frame.height,
                        poses: seen.poses, hands: seen.hands)
                    try results.add(frame)
                    try writer?.add(frame)
                })
            Console.shared.endProgress()
            try results.finish(outcome)
            if let writer { try writer.finish() }
            Console.shared.warn(outcome.diagnostics + notes.diagnostics)
            if outcome.run.framesWithSomeone == 0, !interruption.isRaised {
                throw Console.shared.nobody(in: media.choice.source)
            }
        }
    }
}

extension PoseCommand {
    private func pipeline() throws -> PosePipeline {
        var pipeline = body.pipeline
        if let file = choice.model.poseNetFile {
            try choice.refuse(body, findsNoBodies: leavesBodiesOut, export: export)
            pipeline.poseNet = try choice.poseNet(file, body)
        } else {
            try choice.refuseAlgorithm()
        }
        if hands { pipeline.hands = HandPoseOptions(maximumHandCount: maxHands, precision: body.usualPrecision) }
        pipeline.findsBodies = !leavesBodiesOut
        return pipeline
    }
}
