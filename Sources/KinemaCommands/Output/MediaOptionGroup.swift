import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

/// The options for the input and its results.
struct MediaOptionGroup: ParsableArguments {
    @Argument(
        help:
            "A video or image file, camera or camera:/dev/video0, an rtsp:// or http(s):// address, or - for standard input."
    )
    var input: String

    @OptionGroup var live: LiveOptionGroup

    @Option(help: "Write the frames with the results drawn on them (.mp4, or .png or .jpg for the first frame).")
    var overlay: String?

    @Option(
        help:
            "Hide on the overlay: faces (coarse squares over heads), people (silhouettes) or background (all but people)."
    )
    var hide: Hiding?

    @Flag(
        help: """
            On the overlay, also show each joint's position and angle, rings around joints below a confidence of 0.5, and the \
            rate of the analysis: green from 24 frames per second, yellow from 12, otherwise red.
            """)
    var readout = false

    @OptionGroup var results: FormatOptionGroup<AnyFormat>

    func validate() throws {
        if hide != nil, overlay == nil { throw ValidationError("--hide requires --overlay") }
        if readout, overlay == nil { throw ValidationError("--readout requires --overlay") }
    }

    var format: OutputFormat { results.format }

    var choice: InputChoice { live.choice(input) }
}

extension Hiding: ExpressibleByArgument {}

/// The options for a chart of the results.
struct PlotOptionGroup: ParsableArguments {
    @Option(help: "Write a chart of the movement and its repetitions (.svg or .png).")
    var plot: String?

    func validate() throws { try requireEnding(plot, [".svg", ".png"], "--plot") }

    func write(_ signals: [RepetitionSignal], of run: AnalysisRun) throws {
        guard let plot else { return }
        try RepetitionChart(title: run.source, signals: signals, duration: run.duration).write(to: URL(filePath: plot))
    }
}

protocol FormatChoice: Sendable {
    static var formats: [OutputFormat] { get }
}

enum AnyFormat: FormatChoice {
    static let formats = OutputFormat.allCases
}

enum TextOrJSON: FormatChoice {
    static let formats: [OutputFormat] = [.text, .json]
}

enum TextJSONOrCSV: FormatChoice {
    static let formats: [OutputFormat] = [.text, .json, .csv]
}

/// The option `--format`.
struct FormatOptionGroup<Choice: FormatChoice>: ParsableArguments {
    @Option(help: "The format of the results on standard output\(Self.isEvery ? "" : ": " + Self.list).")
    var format = OutputFormat.text

    private static var isEvery: Bool { Choice.formats.count == OutputFormat.allCases.count }

    private static var list: String {
        let names = Choice.formats.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    func validate() throws {
        guard Choice.formats.contains(format) else { throw ValidationError("--format must be \(Self.list)") }
    }
}

enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    case json
    /// JSON Lines, written at once.
    case jsonl
    case csv
}
