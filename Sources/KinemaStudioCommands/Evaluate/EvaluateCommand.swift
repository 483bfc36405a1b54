import KinemaMeasuring
import ArgumentParser
import Foundation
import KinemaCommands
import Kinema
import KinemaSynth

struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Measures accuracy against labels or rendered ground truth.",
        subcommands: [
            EvaluateCountCommand.self, EvaluateCoachCommand.self, EvaluateRenderedCommand.self,
            EvaluateClassifyCommand.self, EvaluateTossCommand.self, EvaluateTrajectoriesCommand.self,
            EvaluateGestureCommand.self, EvaluateMeasureCommand.self,
        ])
}

struct EvaluateMeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Compares measured angles with those of markers or of another program.",
        discussion: """
            Each file is the JSON of `kinema measure`, markers (.trc, y up) or a table of time and angles with \
            Sports2D's names (.mot, .csv). For each angle that both have it prints the number of moments, RMSE, bias \
            (RESULT minus TRUTH), the limits of agreement (bias ± 1.96 standard deviations) and Pearson's correlation. \
            TRUTH is interpolated at the times of RESULT.
            """)

    @Argument(help: "The angles to evaluate.")
    var result: String

    @Argument(help: "The angles to compare with.")
    var truth: String

    @Option(parsing: .unconditional, help: "The seconds to add to the times of RESULT.")
    var offset = 0.0

    @Option(
        help: "The plane of angles from markers: side, front or auto (the view that RESULT states, otherwise side).")
    var view = ViewChoice.auto

    @OptionGroup var results: FormatOptionGroup

    func validate() throws { try require(offset, in: -86_400...86_400, "--offset", "seconds") }

    func run() throws {
        let found = try AngleSeries(contentsOf: URL(filePath: result), view: view.view ?? .side)
        let known = try AngleSeries(contentsOf: URL(filePath: truth), view: view.view ?? found.view ?? .side)
        let agreements = AngleAgreement.all(found, known, offset: offset)
        guard !agreements.isEmpty else {
            throw Console.shared.nobody(in: result, "no angle of \(truth) at the same times was found")
        }
        var table = try EvaluationTable(
            results.format,
            columns: ["angle": 26, "n": 8, "RMSE": 9, "bias": 9, "lower": 9, "upper": 9, "correlation": 0],
            header: ["angle", "n", "rmse", "bias", "lower", "upper", "correlation"])
        for one in agreements {
            // Adding 0 makes -0 a 0.
            let degrees = [one.rmse, one.bias, one.limits.lower, one.limits.upper].map {
                ($0 * 100).rounded() / 100 + 0
            }
            let values: [EvaluationTable.Value] =
                [.text(one.name), .integer(one.count)] + degrees.map { .number($0, decimals: 2) }
                + [one.correlation.map { .number($0, decimals: 3) } ?? .text(nil)]
            try table.row(values.map(\.cell), isWrong: false, values)
        }
        let mean = agreements.map(\.rmse).reduce(0, +) / Double(agreements.count)
        try table.end(["\(PlainText.counted(agreements.count, "angle")): mean RMSE \(mean.text(2)) degrees"]) { json in
            json.field("angles", agreements.count)
            json.field("mean_rmse", mean, decimals: 2)
        }
    }
}

struct EvaluateGestureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gesture",
        abstract: "Detects the pinches in every labelled clip and prints which were detected, missed and false.",
        discussion: """
            LABELS is a table with the columns file, closed and apart: when the tips of thumb and index finger touched and \
            parted, in seconds, one row per pinch. A file without pinches has one row without times. Files are \
            in the table's folder or in --folder. A pinch counts as detected if one is reported within --tolerance of its start; F1 is the \
            harmonic mean of precision and recall.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @Option(help: "The folder of the files, if they are not in the table's folder.")
    var folder: String?

    @Option(help: "How far a pinch may be from its label, in seconds.")
    var tolerance = 0.1

    @Option(help: "What counts as a pinch: scored, strict or sample.")
    var rule = GestureCommand.Rule.scored

    @Option(
        help: """
            Arithmetic: f32, or automatic for 16 bits where the processor supports them.
            """)
    var precision = ModelStore.Precision.automatic

    @OptionGroup var turn: TurnOptionGroup

    @OptionGroup var time: TimeOptionGroup

    @OptionGroup var results: FormatOptionGroup

    func validate() throws {
        guard tolerance >= 0, tolerance.isFinite else { throw ValidationError("--tolerance must be 0 or more") }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let clips = try PinchLabel.read(URL(filePath: labels), folder: folder.map { URL(filePath: $0) })
            var score = PinchScore(tolerance: tolerance)
            let (output, format) = (StandardOutput(), results.format)
            for (index, clip) in clips.enumerated() {
                Console.shared.progress(index, of: clips.count, note: clip.file)
                let input = try InputChoice(clip.path).turned(turn.orientation, by: turn.option)
                    .timed(time.timing)
                let runner = InputRunner(input: input, showsProgress: false)
                let analysis = try await runner.run(DrawAnalysis(configuration), interruption).analysis
                if interruption.isRaised { break }
                let lines = score.add(clip, found: analysis.result.pinches.map(\.start), analysis.explanations)
                if format == .text { for line in lines { try output.line(line) } }
            }
            Console.shared.endProgress()
            try output.write(score.text, score.fields, as: format)
        }
    }

    private var configuration: DrawAnalysis.Configuration {
        var configuration = DrawAnalysis.Configuration()
        configuration.rule = rule.rule
        configuration.pipeline = .handsOnly(
            HandPoseOptions(precision: precision, readsCloseUp: rule == .scored), smooths: false)
        configuration.explains = true
        return configuration
    }
}

struct EvaluateTrajectoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trajectories",
        abstract: "Detects balls thrown in randomly rendered scenes and compares the flights with the ground truth.",
        discussion: """
            Renders balls thrown among people who stand, walk and exercise (kinema synth --scene throws) and detects \
            them. It prints each missed, duplicate or false flight, then precision, recall, F1 and the errors \
            of the parabolas. The videos are deleted afterwards.
            """)

    @Option(help: "The number of scenes.")
    var clips = 40

    @OptionGroup var scenes: RenderedScenes

    @Option(help: "Count flights of at least this confidence, 0 to 1.")
    var confidence = 0.9

    @Option(help: "Keep the videos and their ground truth in this folder.")
    var keep: String?

    @OptionGroup var results: FormatOptionGroup

    func validate() throws {
        try require(clips, in: 1...10_000, "--clips")
        try require(confidence, in: 0...1, "--confidence")
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var score = TrajectoriesScore(confidence: confidence)
            let (output, format) = (StandardOutput(), results.format)
            try await scenes.each(clips, note: "rendering and detecting", keep: keep, interruption) { index in
                .throwing(seed: scenes.seed + UInt64(index))
            } score: { index, scene, url in
                let flights = try await interruption.cancelling { try await Self.flights(in: url) }
                let lines = score.add(
                    scene.flightTruth(), flights, size: (Double(scene.size.width), Double(scene.size.height)))
                if format == .text {
                    for line in lines { try output.line("scene \(scenes.seed + UInt64(index)): \(line)") }
                }
            }
            try output.write(score.text, score.fields, as: format)
        }
    }

    private static func flights(in url: URL) async throws -> [Flight] {
        let request = DetectTrajectoriesRequest(trajectoryLength: FlightTracker.minimumPoints)
        var known: [UUID: Flight] = [:]
        for try await element in try await VideoReader.read(contentsOf: url) {
            for flight in request.flights(in: element.feature) { known[flight.id] = flight }
        }
        return known.values.sorted { $0.start < $1.start }
    }
}
