import ArgumentParser
import Foundation
package import Kinema
import KinemaDraw

package struct GestureCommand: AsyncParsableCommand {
    package enum Rule: String, ExpressibleByArgument, CaseIterable, Sendable {
        case scored, strict, sample

        package var rule: PinchRule {
            switch self {
            case .scored: .scored
            case .strict: .strict
            case .sample: .sample()
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "gesture", abstract: "Detects pinches and the lines that hands draw with them in the air.",
        discussion: """
            A hand draws while the tips of its thumb and index finger touch. INPUT may also be a file of hands \
            detected earlier: lines of kinema pose --hands --format jsonl, or x, y and confidence of 21 joints per frame \
            (.npy, .csv, .json).
            """)

    @OptionGroup var media: MediaOptionGroup

    @OptionGroup var poseFile: PoseFileOptionGroup

    @Option(help: "The maximum number of hands to track at once.")
    var maxHands = 2

    @Option(
        help: """
            What counts as a pinch: scored (a score fitted to recordings decides whether the tips touch), strict (the tips \
            touch, in neither a fist nor a flat hand) or sample (the tips are near).
            """
    )
    var rule = Rule.scored

    @Option(
        help: "With --rule sample: the size of a view in points, such as 390x844; near means within 40 points.")
    var view: ViewSize?

    @Option(
        help: """
            Arithmetic: f32, or automatic for 16 bits where the processor supports them.
            """)
    var precision = ModelStore.Precision.automatic

    @Option(help: "Write the drawing to this file (.svg or .png).")
    var drawing: String?

    @Option(
        help: ArgumentHelp(
            "Write the measurements and the score of each hand in each frame, and why close tips are not a pinch (.jsonl).",
            valueName: "file"))
    var explain: String?

    func validate() throws {
        try requireEnding(explain, [".jsonl"], "--explain")
        guard explain == nil || rule == .scored else { throw ValidationError("--explain requires --rule scored") }
        try require(maxHands, in: 1...100, "--max-hands")
        guard view == nil || rule == .sample else { throw ValidationError("--view requires --rule sample") }
        try requireEnding(drawing, [".svg", ".png"], "--drawing")
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var configuration = DrawAnalysis.Configuration()
            configuration.rule =
                view.map { .viewPoints(view: CGSize(width: $0.width, height: $0.height)) } ?? rule.rule
            configuration.pipeline = .handsOnly(
                HandPoseOptions(maximumHandCount: maxHands, precision: precision, readsCloseUp: rule == .scored),
                smooths: false)
            configuration.reportsFrames = media.format == .jsonl
            configuration.explains = explain != nil
            let choice = try poseFile.choice(media, nil, of: .hand)
            let outcome = try await media.run(
                DrawAnalysis(configuration), over: choice, outputs: [drawing, explain], interruption
            ) { outcome, files in
                if let drawing {
                    files.write {
                        try AirDrawing(outcome.analysis.drawing?.strokes ?? []).write(
                            to: URL(filePath: drawing), width: max(1, outcome.size.width),
                            height: max(1, outcome.size.height))
                    }
                }
                files.write(outcome.analysis.explanations, to: explain)
            }
            if outcome.run.framesWithDetections == 0, !interruption.isRaised {
                throw Console.shared.nobody(in: media.choice.source, "no hand was found")
            }
        }
    }
}
