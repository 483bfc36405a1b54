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
        commandName: "gesture", abstract: "Finds pinches and what the hands draw with them in the air.",
        discussion: "A hand draws while the tips of its thumb and index finger meet.")

    @OptionGroup var media: MediaOptionGroup

    @Option(help: "The most hands that are followed at once.")
    var maxHands = 2

    @Option(
        help: "What counts as a pinch: strict (tips that meet; no fist, no flat hand), or sample (tips that are near).")
    var rule = Rule.strict

    @Option(
        help: "With --rule sample: measure in points of a view of that size, such as 390x844, near being 40 of them.")
    var view: ViewSize?

    @Option(help: "Arithmetic: f32, or automatic for 16 bit where the processor has it.")
    var precision = ModelStore.Precision.automatic

    @Option(help: "Write the drawing (.svg or .png).")
    var drawing: String?

    func validate() throws {
        guard (1...100).contains(maxHands) else { throw ValidationError("--max-hands takes 1 to 100") }
        guard view == nil || rule == .sample else { throw ValidationError("--view goes with --rule sample") }
        if let drawing, !["svg", "png"].contains(URL(filePath: drawing).pathExtension.lowercased()) {
            throw ValidationError("--drawing takes a name that ends in .svg or .png")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var configuration = DrawAnalysis.Configuration()
            configuration.rule = pinchRule
            configuration.pipeline = .handsOnly(
                HandPoseOptions(maximumHandCount: maxHands, precision: precision), smooths: false)
            configuration.tellsFrames = media.format == .jsonl
            let outcome = try await media.run(DrawAnalysis(configuration), outputs: [drawing], interruption) {
                guard let drawing else { return }
                try AirDrawing($0.analysis.drawing?.strokes ?? []).write(
                    to: URL(filePath: drawing), width: max(1, $0.size.width), height: max(1, $0.size.height))
            }
            if outcome.run.framesWithSomeone == 0, !interruption.isRaised {
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
