public import ArgumentParser
import Foundation
import Kinema
import KinemaDraw
public import KinemaToss

struct TossCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toss",
        abstract: "Scores a game of bean-bag toss: type, speed, angle, distance, landing and score of each throw.",
        discussion: """
            The camera must be still and see the thrower and the board from the side. Speed and angle are those of the \
            bag as it leaves the hand. With --view board the camera looks down on the board alone, and every bag that lands \
            is reported.
            """)

    enum View: String, ExpressibleByArgument, CaseIterable, Sendable {
        case player
        case board
    }

    @OptionGroup var media: MediaOptionGroup

    @Option(help: "Write a chart of all throws to this file (.svg or .png).")
    var plot: String?

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "The board as x,y,width,height, 0 to 1 from the lower left. (default: found automatically)")
    var board: String?

    @Option(help: "Classify throws with this classifier (from kinema train, or .onnx) instead of by posture.")
    var classifier: String?

    @OptionGroup var network: NetworkOptionGroup

    @Option(help: "What the camera sees: player (thrower and board from the side) or board (the board from above).")
    var view = View.player

    @Option(
        help: "Which throws count: all towards the board (towardBoard), or only those from left to right (leftToRight)."
    )
    var direction = TossRules.Direction.towardBoard

    @Option(
        name: .customLong("throws"),
        help: ArgumentHelp(
            "How many throws to score: a number, or all; the result says how many followed. (default: 8)",
            valueName: "number"))
    var limit: ThrowLimit?

    func validate() throws {
        try requireEnding(plot, [".svg", ".png"], "--plot")
        if let board, NormalizedBox(board) == nil {
            throw ValidationError("--board must be x,y,width,height, each 0 to 1, such as 0.7,0.2,0.2,0.1")
        }
        if view == .board, plot != nil || classifier != nil || board != nil || limit != nil {
            throw ValidationError("--view board shows no throws; leave out --plot, --classifier, --board and --throws")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            switch view {
            case .player: try await watchGame(interruption)
            case .board: _ = try await media.run(ArrivalsAnalysis(), interruption)
            }
        }
    }

    private func watchGame(_ interruption: Interruption) async throws {
        var configuration = TossAnalysis.Configuration(pipeline: try body.pipeline)
        configuration.rules.direction = direction
        if let limit { configuration.rules.maxThrows = limit.count }
        configuration.board = board.flatMap { NormalizedBox($0) }
        if let classifier {
            let model = try network.classifier(classifier)
            configuration.throwClassifier = try TrainedThrowClassifier(model)
        }
        let outcome = try await media.run(TossAnalysis(configuration), outputs: [plot], interruption) {
            outcome, files in
            if let plot { files.write { try chart(outcome).write(to: URL(filePath: plot)) } }
        }
        guard !interruption.isRaised else { return }
        let isFound = outcome.analysis.board != nil
        // A board that fills the frame needs no person.
        let isKnown = outcome.analysis.isBoardOnly || !outcome.run.isTooShort
        if isKnown, let reason = complaint(outcome.analysis) {
            Console.shared.line("kinema: \(media.choice.source): \(reason)")
        }
        if !isFound { throw ExitStatus.nothingFound.exitCode }
    }

    /// The obstacle to detecting throws, if any.
    private func complaint(_ analysis: TossAnalysis) -> String? {
        if analysis.isBoardOnly {
            return
                "the board fills the frame; --view board reports the bags that land on it, a game needs the camera at "
                + "the side with the player in view"
        }
        if analysis.cameraMoves {
            return "the camera moves, so throws are missed; keep the device still, for example on a tripod"
        }
        guard analysis.board == nil else { return nil }
        return analysis.configuration.board == nil
            ? "no board was found; give its position with --board"
            : "too short to check that the camera is still; begin half a second before the first throw"
    }

    private func chart(_ outcome: InputRunner.Outcome<TossAnalysis>) -> TossChart {
        let result = outcome.analysis.result
        let most = Scoring.maximum(throws: max(result.throwList.count, 1))
        return TossChart(
            title: "\(outcome.run.source): \(result.total) of \(PlainText.counted(most, "point")) in "
                + PlainText.counted(result.throwList.count, "throw"),
            throwList: zip(outcome.analysis.paths, result.throwList).map { ($0, $1.line) },
            summary: result.summary.text, board: outcome.analysis.board?.corners ?? [], aspectRatio: outcome.aspectRatio
        )
    }
}

extension TossRules.Direction: ExpressibleByArgument {}

extension ThrowLimit: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
