import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

/// `kinema gesture`: pinches, and what they draw in the air.
struct GestureCommand: AsyncParsableCommand {
    /// The rules by their names on the command line.
    enum Rule: String, ExpressibleByArgument, CaseIterable, Sendable {
        case strict, sample
    }

    static let configuration = CommandConfiguration(
        commandName: "gesture", abstract: "Finds pinches and the lines that hands draw with them in the air.",
        discussion: "A hand draws while the tips of its thumb and index finger touch.")

    @OptionGroup var media: MediaOptionGroup

    @Option(help: "The most hands to follow at once.")
    var maxHands = 2

    @Option(
        help:
            "What counts as a pinch: strict (the tips touch, in neither a fist nor a flat hand) or sample (the tips are near)."
    )
    var rule = Rule.strict

    @Option(
        help: "With --rule sample: the size of a view in points, such as 390x844; near is 40 points.")
    var view: ViewSize?

    @Option(help: "Arithmetic: f32, or automatic for 16 bits where the processor has them.")
    var precision = ModelStore.Precision.automatic

    @Option(help: "Write the drawing to this file (.svg or .png).")
    var drawing: String?

    func validate() throws {
        guard (1...100).contains(maxHands) else { throw ValidationError("--max-hands takes 1 to 100") }
        guard view == nil || rule == .sample else { throw ValidationError("--view goes with --rule sample") }
        if let drawing, !["svg", "png"].contains(URL(filePath: drawing).pathExtension.lowercased()) {
            throw ValidationError("--drawing takes a file name that ends in .svg or .png")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var configuration = DrawAnalysis.Configuration()
            configuration.rule = pinchRule
            configuration.pipeline = .handsOnly(
                HandPoseOptions(maximumHandCount: maxHands, precision: precision), smooths: false)
            configuration.reportsFrames = media.format == .jsonl
            let outcome = try await media.run(DrawAnalysis(configuration), outputs: [drawing], interruption) {
                guard let drawing else { return }
                try AirDrawing($0.analysis.drawing?.strokes ?? []).write(
                    to: URL(filePath: drawing), width: max(1, $0.size.width), height: max(1, $0.size.height))
            }
            if outcome.run.framesWithDetections == 0, !interruption.isRaised {
                Console.shared.line("kinema: \(media.choice.source): no hand was found")
                throw ExitStatus.nothingFound.exitCode
            }
        }
    }

    private var pinchRule: PinchRule {
        switch (rule, view) {
        case (.strict, _): .strict()
        case (.sample, nil): .sample()
        case (.sample, let view?): .viewPoints(view: CGSize(width: view.width, height: view.height))
        }
    }
}

/// A width and a height, as 390x844.
struct ViewSize: ExpressibleByArgument, Sendable {
    let width: Double
    let height: Double

    init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0,
            width.isFinite, height.isFinite
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}
