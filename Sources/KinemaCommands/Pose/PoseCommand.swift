import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

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
            var run = try await PoseRun(self, pipeline: pipeline())
            try await run.frames(interruption)
            try await run.finish()
            if run.report.framesWithSomeone == 0, !interruption.isRaised {
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

/// One run of `kinema pose`, from the first frame to the last line.
private struct PoseRun {
    let command: PoseCommand
    let pipeline: PosePipeline
    let reading: Reading
    let overlay: OverlayWriter?
    var export: (any PoseExport)?
    var results: PoseResults
    var report = PoseReport()
    let started = ContinuousClock.now

    init(_ command: PoseCommand, pipeline: PosePipeline) async throws {
        self.command = command
        self.pipeline = pipeline
        reading = try await Reading(command.media.choice)
        try reading.refuse(outputs: [command.media.overlay, command.output].compactMap(\.self))
        let timescale = reading.frames.timescale
        overlay = try command.media.overlay.map { try OverlayWriter(path: $0, timescale: timescale) }
        if let format = command.export, let output = command.output {
            // Exports are written at the end; a place that is none is told before the work.
            if format != .openpose { try reading.refuse(unwritable: output) }
            export = format.makeExport(to: URL(filePath: output), source: reading.source)
        }
        results = PoseResults(format: command.media.format, source: reading.source)
    }

    mutating func frames(_ interruption: Interruption) async throws {
        do {
            for try await element in pipeline(reading.frames) {
                try await take(element)
                if interruption.isRaised { return }
            }
        } catch is CancellationError {
            return
        }
    }

    private mutating func take(_ element: TemporalFeature<PosedFrame>) async throws {
        let (frame, poses, hands) = (element.feature.frame, element.feature.poses, element.feature.hands)
        let exported = ExportedFrame(
            index: report.frames, time: frame.time, width: frame.width, height: frame.height, poses: poses, hands: hands
        )
        try results.add(exported)
        try export?.add(exported)
        report.add(poses, hands: hands, element.id.rangeInSeconds)
        try await overlay?.add(frame, poses: poses, hands: hands.map(\.pose), hud: HUD())
        let people = PlainText.counted(poses.count, "person", "people")
        Console.shared.progress(report.frames, of: reading.frameEstimate, note: people)
    }

    mutating func finish() async throws {
        let diagnostics = reading.conclude()
        Console.shared.endProgress()
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        try results.finish(report, width: reading.width, height: reading.height, seconds: seconds, live: reading.live)
        if let export { try export.finish() }
        try await overlay?.finish()
        Console.shared.warn(diagnostics)
    }
}
