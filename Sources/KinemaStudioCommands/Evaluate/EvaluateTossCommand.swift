import ArgumentParser
import Foundation
import KinemaCommands
import Kinema
import KinemaSynth
import KinemaToss

struct EvaluateTossCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toss",
        abstract: "Analyses randomly rendered games of toss and compares the results with the ground truth.",
        discussion: """
            Renders games with random players, cameras, boards and noise (kinema synth --scene toss) and analyses \
            them. It prints the result and the ground truth of every throw, then the shares. The videos are deleted afterwards.
            """)

    @Option(help: "The number of games.")
    var games = 40

    @OptionGroup var scenes: RenderedScenes

    @Flag(help: "Only detect the board in the first frame of each game, with boards of varied appearance and view.")
    var boards = false

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var results: FormatOptionGroup

    func validate() throws { try require(games, in: 1...10_000, "--games") }

    func run() async throws {
        if boards { return try BoardScore.evaluate(games: games, seed: scenes.seed, results.format) }
        try await Interruption.guarding { interruption in
            var score = TossScore()
            let (output, format) = (StandardOutput(), results.format)
            try await scenes.each(games, note: "rendering and analysing", interruption) { index in
                .toss(seed: scenes.seed + UInt64(index))
            } score: { index, scene, url in
                let runner = InputRunner(input: InputChoice(url.path), showsProgress: false)
                let game = TossAnalysis(TossAnalysis.Configuration(pipeline: try body.pipeline))
                let result = try await runner.run(game, interruption).analysis.result
                guard !interruption.isRaised, let truth = scene.tossTruth else { return }
                let lines = score.add(truth, result)
                if format == .text {
                    for line in lines { try output.line("game \(scenes.seed + UInt64(index)): \(line)") }
                }
            }
            try output.write(score.text, score.fields, as: format)
        }
    }
}

/// The boards of each look found in a single picture, and their accuracy.
struct BoardScore {
    private var games = 0
    /// The largest corner error of each found board, in board lengths.
    private var errors: [Double] = []
    /// Detections that are not the board: a corner is off by more than a quarter of its length.
    private var wrong: Int { errors.count { $0 > 0.25 } }

    static func evaluate(games: Int, seed: UInt64, _ format: OutputFormat) throws {
        var table = try EvaluationTable(
            format, columns: ["look": 11, "found": 8, "wrong": 7, "median error": 0],
            header: ["look", "found", "wrong", "median_error"])
        for look in BoardLook.allCases {
            var score = BoardScore()
            for index in 0..<games { try score.add(.toss(seed: seed + UInt64(index), look: look)) }
            let values: [EvaluationTable.Value] = [
                .text(look.rawValue), .number(score.found, decimals: 3), .integer(score.wrong),
                .number(score.median, decimals: 4),
            ]
            try table.row(values.map(\.cell), isWrong: score.wrong > 0, values)
        }
        let note = "\(games) games of each look; median error of the worst corner, in lengths of the board"
        try table.end([note]) { $0.field("games", games) }
    }

    private mutating func add(_ scene: SynthScene) throws {
        games += 1
        let frame = VideoFrame(
            bitmap: scene.bitmap(at: 0), id: TemporalSegmentIdentifier(source: "game", range: 0..<1, timescale: 30))
        guard let truth = scene.tossTruth, let found = try BoardFinder().board(in: frame) else { return }
        let aspectRatio = Double(frame.width) / Double(frame.height)
        func apart(_ one: CGPoint, _ other: [Double]) -> Double {
            hypot((one.x - other[0]) * aspectRatio, one.y - other[1])
        }
        let length = TossBoardObservation(
            corners: truth.board.map { CGPoint(x: $0[0], y: $0[1]) }, hole: nil
        ).edgeLength(aspectRatio: aspectRatio)
        let gaps = truth.board.map { corner in found.corners.map { apart($0, corner) }.min() ?? .infinity }
        errors.append((gaps.max() ?? .infinity) / length)
    }

    private var found: Double { games > 0 ? Double(errors.count - wrong) / Double(games) : 0 }
    private var median: Double { errors.quantile(0.5) ?? 0 }
}
