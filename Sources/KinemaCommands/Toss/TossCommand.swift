public import ArgumentParser
import Foundation
import Kinema
public import KinemaToss

/// `kinema toss`: the game of bean-bag toss, throw by throw.
struct TossCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toss",
        abstract: "Follows a game of bean-bag toss: type, speed, angle, landing and score of throws.",
        discussion: """
            The camera stands still and sees the thrower and the board from the side. Speed and angle are those of the \
            bag as it leaves the hand. With --view board the camera looks down on the board alone, and each bag that \
            arrives is told.
            """)

    /// Where the camera is.
    enum View: String, ExpressibleByArgument, CaseIterable, Sendable {
        /// Beside the game, with thrower and board in view.
        case player
        /// Over the board.
        case board
    }

    @OptionGroup var media: MediaOptionGroup

    @Option(help: "Write a chart of all paths (.svg or .png).")
    var plot: String?

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "Where the board is: x,y,width,height, 0 to 1 from the lower left; found by itself otherwise.")
    var board: String?

    @Option(help: "Tell the type of throw by a classifier that kinema train wrote, not by the posture.")
    var classifier: String?

    @Option(help: "What the camera sees: player (thrower and board from the side) or board (the board from above).")
    var view = View.player

    @Option(help: "Which throws count: towardBoard, or leftToRight alone.")
    var direction = TossRules.Direction.towardBoard

    func validate() throws {
        if let plot, ![".svg", ".png"].contains(where: { plot.lowercased().hasSuffix($0) }) {
            throw ValidationError("--plot writes .svg or .png; \(plot) ends in neither")
        }
        if let board, Self.box(board) == nil {
            throw ValidationError("--board takes x,y,width,height, each 0 to 1, such as 0.7,0.2,0.2,0.1")
        }
        if view == .board, plot != nil || classifier != nil || board != nil {
            throw ValidationError("--view board shows no throws; leave out --plot, --classifier and --board")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            switch view {
            case .player: try await watchGame(interruption)
            case .board: try await watchBoard(interruption)
            }
        }
    }

    private func watchGame(_ interruption: Interruption) async throws {
        var run = TossRun(input: media.choice, pipeline: body.pipeline)
        run.rules.direction = direction
        run.board = board.flatMap(Self.box)
        run.overlay = media.overlay
        run.plot = plot
        if let classifier {
            let model = try HumanActionClassifier(contentsOf: URL(filePath: classifier))
            run.judge = JudgesInTurn([try ClassifierJudge(model), PostureJudge()])
        }
        if media.format == .jsonl { run.onThrow = { one in try StandardOutput().jsonLine(one.write) } }
        let outcome = try await run.frames(interruption)
        Console.shared.endProgress()
        try StandardOutput().write(outcome.report, as: media.format)
        Console.shared.warn(outcome.diagnostics)
        guard !interruption.isRaised else { return }
        let isFound = outcome.report.board != nil
        if outcome.cameraMoves || !isFound {
            let reason =
                if outcome.cameraMoves {
                    "the camera moves, so throws are missed; keep it still, such as on a tripod"
                } else if run.board != nil {
                    "too short to see that the camera stands still; begin half a second before the first throw"
                } else {
                    "no board was found; say where it is with --board"
                }
            Console.shared.line("kinema: \(media.choice.source): \(reason)")
        }
        if !isFound { throw ExitStatus.nothingFound.exitCode }
    }

    private func watchBoard(_ interruption: Interruption) async throws {
        var run = ArrivalsRun(input: media.choice)
        run.overlay = media.overlay
        let outcome = try await run.frames(interruption)
        Console.shared.endProgress()
        try StandardOutput().write(outcome.report, as: media.format)
        Console.shared.warn(outcome.diagnostics)
    }

    /// A box from `x,y,width,height`; nil when it is none within the picture.
    static func box(_ text: String) -> CGRect? {
        let numbers = text.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }), numbers[2] > 0, numbers[3] > 0,
            numbers[0] + numbers[2] <= 1 + 1e-9, numbers[1] + numbers[3] <= 1 + 1e-9
        else { return nil }
        return CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

extension TossRules.Direction: ExpressibleByArgument {}
