import ArgumentParser
import Foundation
import Kinema

struct PoseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pose", abstract: "Detects everyone's pose in every frame, and their hands.",
        discussion: "Coordinates are normalised, with the origin at the lower left. Times are in seconds.")

    @OptionGroup var media: MediaOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Flag(help: "Also detect hands: 21 joints each, left or right, and the person they belong to.")
    var hands = false

    @Option(help: "With --hands: the maximum number of hands to track at once.")
    var maxHands = 2

    @Flag(name: .customLong("no-bodies"), help: "With --hands: detect only hands, in half the time.")
    var leavesBodiesOut = false

    @Option(help: "Also write the poses to --output in this format; mot contains the joint angles.")
    var export: PoseExportFormat?

    @Option(help: "The file for --export, or the folder for openpose.")
    var output: String?

    @OptionGroup var tracking: TrackReportOptionGroup

    func validate() throws {
        guard hands || !leavesBodiesOut else { throw ValidationError("--no-bodies requires --hands") }
        try require(maxHands, in: 1...100, "--max-hands")
        guard (export == nil) == (output == nil) else {
            throw ValidationError("--export and --output require each other")
        }
        guard body.finder.model != .blazePose else { return }
        if leavesBodiesOut { throw ValidationError("--no-bodies and --model cannot be combined") }
        if let export, export == .trc || export == .mot {
            throw ValidationError(
                "--export \(export.rawValue) needs depth, which only blazepose provides; omit --model")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var runner = InputRunner(
                input: media.choice, overlay: media.overlay, hiding: media.hide, showsReadout: media.readout)
            runner.look = media.look
            // Exports are written at the end; an unwritable path fails before the work.
            if export == .openpose { runner.outputFolders = [output].compactMap(\.self) }
            if export != .openpose { runner.outputs = [output].compactMap(\.self) }
            runner.outputs += [tracking.trackReport].compactMap(\.self)
            var report = try tracking.report
            var results = PoseResults(format: media.format, source: media.choice.source)
            let notes = DiagnosticCollector()
            var files = SideFiles()
            var writer = output.flatMap {
                export?.makeExport(to: URL(filePath: $0), source: media.choice.source, diagnostics: notes)
            }
            var sides = SideContinuity()
            let outcome = try await runner.run(
                PoseAnalysis(pipeline: pipeline()), interruption,
                onFrame: { seen, index in
                    let frame = ExportedFrame(
                        index: index, time: seen.frame.time, width: seen.frame.width, height: seen.frame.height,
                        poses: sides.kept(seen.poses, at: seen.frame.time, aspectRatio: seen.frame.aspectRatio),
                        hands: seen.hands)
                    try results.add(frame)
                    do {
                        try writer?.add(frame)
                    } catch {
                        files.add(error)
                        writer = nil
                    }
                    report?.add(frame)
                })
            Console.shared.endProgress()
            files.write { try results.finish(outcome) }
            files.add(outcome.overlayFailure)
            files.write { try writer?.finish() }
            files.write { try tracking.write(report, source: media.choice.source) }
            if let note = sides.note { notes.report(Diagnostic("sides.exchanged", note, file: media.choice.source)) }
            Console.shared.warn(outcome.diagnostics + notes.diagnostics)
            try files.conclude()
            if outcome.run.framesWithDetections == 0, !interruption.isRaised {
                throw Console.shared.nobody(in: media.choice.source)
            }
        }
    }
}

extension PoseCommand {
    private func pipeline() throws -> PosePipeline {
        // With 16 bits depth differs by 0.1 m and more: a person seen from the side may not be recognised as one.
        let hasDepth = export == .trc || export == .mot || [.json, .jsonl].contains(media.format)
        var pipeline = try hasDepth ? body.precisePipeline : body.pipeline
        if hands { pipeline.hands = HandPoseOptions(maximumHandCount: maxHands, precision: body.usualPrecision) }
        pipeline.findsBodies = !leavesBodiesOut
        return pipeline
    }
}

struct TrackReportOptionGroup: ParsableArguments {
    @Option(help: "Write when each person was in view to this JSON file; with --track-truth, also the metrics.")
    var trackReport: String?

    @Option(
        help: """
            With --track-report: the ground truth of each frame, as written by kinema synth or as MOTChallenge's gt.txt; adds HOTA, \
            IDF1, MOTA, switches, fragments and each person's coverage.
            """)
    var trackTruth: String?

    func validate() throws {
        guard trackTruth == nil || trackReport != nil else {
            throw ValidationError("--track-truth requires --track-report")
        }
    }

    var report: TrackReport? {
        get throws {
            guard trackReport != nil else { return nil }
            return TrackReport(truth: try trackTruth.map { try TrackTruth(contentsOf: URL(filePath: $0)) })
        }
    }

    func write(_ report: TrackReport?, source: String) throws {
        guard let report, let trackReport else { return }
        try report.write(to: URL(filePath: trackReport), source: source)
    }
}

struct PoseResults {
    let format: OutputFormat
    let source: String
    private let output = StandardOutput()
    private var isFirst = true

    init(format: OutputFormat, source: String) { (self.format, self.source) = (format, source) }

    mutating func add(_ frame: ExportedFrame) throws {
        var json = JSONText()
        switch format {
        case .text: return
        case .jsonl:
            json.frame(frame)
            json.newline()
            try output.write(json.bytes)
        case .json:
            json.frame(frame)
            try output.write(Array((isFirst ? opening : ",\n").utf8) + json.bytes)
        case .csv:
            try output.write((isFirst ? Array((CSVExport.header + "\n").utf8) : []) + CSVExport.rows(frame))
        }
        isFirst = false
    }

    func finish(_ outcome: InputRunner.Outcome<PoseAnalysis>) throws {
        switch format {
        case .text: try output.line(outcome.report.text)
        case .json:
            struct End: Encodable {
                let duration: Double, width: Int, height: Int, live: FrameTally?
            }
            let end = End(
                duration: outcome.run.duration, width: outcome.size.width, height: outcome.size.height,
                live: outcome.run.live)
            var bytes = Array("\(isFirst ? opening : "")],\n".utf8)
            bytes += try JSONEncoder.ordered.encode(end).dropFirst()
            try output.write(bytes + [UInt8(ascii: "\n")])
        case .csv: if isFirst { try output.line(CSVExport.header) }
        case .jsonl: return
        }
    }

    private var opening: String {
        var json = JSONText()
        json.string(source)
        return "{\"source\":\(String(decoding: json.bytes, as: UTF8.self)),\"frames\":[\n"
    }
}
