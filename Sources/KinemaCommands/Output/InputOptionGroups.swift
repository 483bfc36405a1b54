import ArgumentParser
import Foundation
import Kinema
import KinemaDraw
package import KinemaMedia

/// The option `--format`.
package struct FormatOptionGroup: ParsableArguments {
    @Option(help: "The format of the results on standard output.")
    package var format = OutputFormat.text
}

/// The options for the input and its results.
struct MediaOptionGroup: ParsableArguments {
    @Argument(
        help:
            "A video or image file, camera or camera:/dev/video0, an rtsp:// or http(s):// address, or - for standard input."
    )
    var input: String

    @OptionGroup var live: LiveOptionGroup

    @Option(
        help: "Write the frames with the results drawn on them (.mp4; .png or .jpg for one frame, usually the first).")
    var overlay: String?

    @Option(
        help:
            "Hide on the overlay: faces (plain squares over heads), people (silhouettes) or background (all but people)."
    )
    var hide: Hiding?

    @Option(help: "The look of skeletons on the overlay.")
    var look = OverlayRenderer.Look.plain

    @Flag(
        help: """
            On the overlay, also show each joint's position and angle, rings around joints below a confidence of 0.5, and the \
            rate of the analysis: green from 24 frames per second, yellow from 12, otherwise red.
            """)
    var readout = false

    @OptionGroup var results: FormatOptionGroup

    func validate() throws {
        if hide != nil, overlay == nil { throw ValidationError("--hide requires --overlay") }
        if look != .plain, overlay == nil { throw ValidationError("--look requires --overlay") }
        if readout, overlay == nil { throw ValidationError("--readout requires --overlay") }
    }

    var format: OutputFormat { results.format }

    var choice: InputChoice { live.choice(input) }
}

extension Hiding: ExpressibleByArgument {}

/// How the times of a file become seconds of what was filmed.
package struct TimeOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The frames per second at which the video was recorded. (default: by the tags of slow motion, otherwise as played)",
            valueName: "fps"))
    var realRate: Double?

    @Option(
        help: ArgumentHelp(
            "The speed of the film as a share of the real one: 0.125 for slow motion that plays eight times slower.",
            valueName: "share"))
    var speed: Double?

    func validate() throws {
        try require(realRate, in: 0.001...100_000, "--real-rate")
        try require(speed, in: 0.0001...1000, "--speed")
        if realRate != nil, speed != nil { throw ValidationError("--real-rate and --speed exclude each other") }
    }

    package var timing: FrameTiming { speed.map { .speed($0) } ?? realRate.map { .recorded($0) } ?? .tagged }
}

extension InputChoice {
    /// The same input with these times; throws `invalidArgument` for an input that has no others.
    package func timed(_ timing: FrameTiming) throws -> InputChoice {
        var choice = self
        choice.timing = timing
        if timing != .tagged, isLive { throw refusal(of: "--speed and --real-rate", "files; this input is live") }
        if case .recorded = timing, poseFile != nil { throw refusal(of: "--real-rate", "videos; use --fps or --speed") }
        return choice
    }
}

/// How to turn the frames of a camera that is mounted sideways or shows a mirror image.
package struct TurnOptionGroup: ParsableArguments {
    enum Rotation: Int, CaseIterable, ExpressibleByArgument {
        case right = 90
        case half = 180
        case left = 270
    }

    static let rotation = ArgumentHelp(
        "Turn the frames clockwise by 90, 180 or 270 degrees, for a camera mounted sideways or upside down.",
        valueName: "degrees")

    @Option(help: Self.rotation)
    var rotate: Rotation?

    @Flag(help: "Swap left and right, after --rotate, for a camera that shows a mirror image.")
    var mirror = false

    package var option: String? { rotate != nil ? "--rotate" : mirror ? "--mirror" : nil }

    package var orientation: PixelOrientation {
        PixelOrientation(degreesClockwise: rotate?.rawValue ?? 0, mirrored: mirror)
    }
}

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

extension ParsableArguments {
    /// Throws if the value of an option is outside a range; the message names the range and the unit.
    package func require<Value: Comparable>(
        _ value: Value?, in range: ClosedRange<Value>, _ option: String, _ unit: String? = nil
    ) throws {
        guard let value, !range.contains(value) else { return }
        let ends = [range.lowerBound, range.upperBound].map { "\($0)".replacing(/\.0$/, with: "") }
        throw ValidationError("\(option) must be \(ends[0]) to \(ends[1])" + (unit.map { " " + $0 } ?? ""))
    }

    /// The names of the options that are given.
    func given(_ options: KeyValuePairs<String, Bool>) -> [String] { options.filter(\.value).map(\.key) }

    /// Throws if the name of an option's file has none of these endings.
    func requireEnding(_ name: String?, _ endings: [String], _ option: String) throws {
        guard let name, !endings.contains(where: { name.lowercased().hasSuffix($0) }) else { return }
        let list = [endings.dropLast().joined(separator: ", "), endings.last ?? ""].filter { !$0.isEmpty }
        throw ValidationError("\(option) needs a file name that ends in \(list.joined(separator: " or "))")
    }
}

struct ViewSize: ExpressibleByArgument, Sendable {
    let width, height: Double

    init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0,
            width.isFinite, height.isFinite
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}
