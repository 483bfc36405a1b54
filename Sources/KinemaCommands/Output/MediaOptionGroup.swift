public import ArgumentParser
import Foundation
public import Kinema
import KinemaDraw
import KinemaMedia

/// What is read and how its results are shown: shared by every command that looks at a video.
struct MediaOptionGroup: ParsableArguments {
    @Argument(
        help:
            "A video or picture file, camera or camera:/dev/video0, an rtsp:// or http(s):// address, or - for standard input."
    )
    var input: String

    @OptionGroup var live: LiveOptionGroup

    @Option(help: "Write the frames with the results drawn on them (.mp4, or .png or .jpg for the first frame).")
    var overlay: String?

    @OptionGroup var results: FormatOptionGroup<AnyFormat>

    var format: OutputFormat { results.format }

    /// The input with how it is to be read.
    var choice: InputChoice { live.choice(input) }
}

/// A chart beside the results: shared by the commands that follow a movement.
struct PlotOptionGroup: ParsableArguments {
    @Option(help: "Write a chart of the movement and its repetitions (.svg or .png).")
    var plot: String?

    func validate() throws {
        guard let plot else { return }
        guard [".svg", ".png"].contains(where: { plot.lowercased().hasSuffix($0) }) else {
            throw ValidationError("--plot takes a file name that ends in .svg or .png")
        }
    }

    /// Writes the chart, if it was asked for.
    func write(_ signals: [RepetitionSignal], of run: AnalysisRun) throws {
        guard let plot else { return }
        try RepetitionChart(title: run.source, signals: signals, duration: run.duration).write(to: URL(filePath: plot))
    }
}

/// How a camera or a stream is read: shared by every command that looks at a video.
struct LiveOptionGroup: ParsableArguments {
    @Option(name: .customLong("for"), help: ArgumentHelp("Stop after this many seconds.", valueName: "seconds"))
    var seconds: Double?

    @Option(help: "How to read an rtsp:// stream: tcp, or udp for servers that offer nothing else.")
    var transport = StreamAddress.Transport.tcp

    @Flag(help: "Accept any certificate from an https:// or rtsps:// server, such as a camera that signs its own.")
    var insecure = false

    @Flag(
        inversion: .prefixedNo,
        help: "Decode files in a process of their own, which can open nothing, reach nobody and start nothing.")
    var sandbox = true

    @Option(
        help: ArgumentHelp(
            "What decodes videos: software; vaapi, a device such as /dev/dri/renderD128, or vaapi:/dev/... for another; auto, a device that can, and else software.",
            valueName: "software|auto|vaapi"))
    var decode = DecodingChoice.software

    @Option(help: "Ask the camera for pictures of this size, such as 1280x720; it gives the nearest it has.")
    var cameraSize: ViewSize?

    @Option(help: "Ask the camera for this many frames per second. (default: 30)")
    var cameraRate: Double?

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= Self.longestRun) {
            throw ValidationError("--for takes more than 0 and at most \(Int(Self.longestRun)) seconds")
        }
        if let cameraRate, !(1...1000).contains(cameraRate) {
            throw ValidationError("--camera-rate takes 1 to 1000")
        }
    }

    /// A hundred days.
    private static let longestRun = 8_640_000.0

    /// The input with these options.
    func choice(_ argument: String) -> InputChoice {
        var choice = InputChoice(argument)
        choice.live.duration = seconds.map { .seconds($0) }
        choice.transport = transport
        choice.isolation = sandbox ? .thisExecutable : .none
        choice.decoding = decode
        if insecure { choice.trust = .anyone }
        choice.cameraSize = cameraSize.map { CGSize(width: $0.width, height: $0.height) }
        choice.cameraRate = cameraRate
        return choice
    }
}

extension StreamAddress.Transport: ExpressibleByArgument {}

extension DecodingChoice: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }

    package var defaultValueDescription: String { "software" }
}

/// A command line's INPUT with how it is to be read.
struct InputChoice: Sendable {
    let argument: String
    var live = LiveOptions()
    var transport = StreamAddress.Transport.tcp
    var trust = StreamAddress.Trust.authorities(file: nil)
    /// Where a file is decoded.
    var isolation = DecoderIsolation.thisExecutable
    /// By what it is decoded.
    var decoding = DecodingChoice.software
    /// How to read the input's poses, and where; nil where they are to be found in pictures.
    var poses: (reader: PoseSequenceReader, file: URL)?
    /// Whether the command line says how many frames a second a file of poses has.
    var statesRate = false
    /// Columns and rows, and frames a second, to ask a camera for.
    var cameraSize: CGSize?
    var cameraRate: Double?

    init(_ argument: String) {
        self.argument = argument
    }

    /// The name in results and messages: the argument as given, but without the secrets of an address.
    var source: String {
        guard argument.contains("://") else { return argument }
        return (try? StreamAddress(argument).description) ?? "the address"
    }

    /// The file of poses that the argument names, or standard input where poses come on it; nil for pictures.
    var poseFile: URL? {
        switch try? MediaInput(argument: argument) {
        case .file(let url): PoseSequenceReader.isSequence(url) ? url : nil
        case .standardInput:
            PoseSequenceReader.isSequence(beginning: StandardInput.head(count: PoseSequenceReader.headBytes))
                ? PoseSequenceReader.standardInput : nil
        default: nil
        }
    }

    /// Whether frames come as they happen; not known of an invalid argument.
    var isLive: Bool {
        switch try? MediaInput(argument: argument) {
        case .stream, .camera: true
        default: false
        }
    }

    /// The input itself; throws `invalidArgument` for an invalid argument.
    func media() throws -> MediaInput {
        switch try MediaInput(argument: argument) {
        case .stream(var address):
            (address.transport, address.trust) = (transport, trust)
            return .stream(address)
        case .camera(var configuration):
            configuration.frameSize = cameraSize
            configuration.frameRate = cameraRate ?? configuration.frameRate
            return .camera(configuration)
        case let other: return other
        }
    }
}
