import ArgumentParser
import Foundation
import KinemaMedia

struct LiveOptionGroup: ParsableArguments {
    @Option(name: .customLong("for"), help: ArgumentHelp("Stop after this many seconds.", valueName: "seconds"))
    var seconds: Double?

    @Option(help: "How to read an rtsp:// stream: tcp, or udp for servers that offer nothing else.")
    var transport = StreamAddress.Transport.tcp

    @Flag(help: "Accept any certificate from an https:// or rtsps:// server, such as a camera's self-signed one.")
    var insecure = false

    @Flag(
        inversion: .prefixedNo,
        help: """
            Decode files and streams in a separate process that can open no other file, reach nothing else and start no \
            program.
            """)
    var sandbox = true

    @Option(
        help: "Ask the camera for frames of this size, such as 1280x720; it uses the nearest size that it supports.")
    var cameraSize: ViewSize?

    @Option(help: "Ask the camera for this many frames per second. (default: 30)")
    var cameraRate: Double?

    @OptionGroup var turn: TurnOptionGroup

    @OptionGroup var time: TimeOptionGroup

    @Option(
        name: [.customLong("every"), .customLong("downsample")],
        help: ArgumentHelp(
            "Analyse every Nth frame. (default: about 15 a second of a file to count or coach, otherwise 1)",
            valueName: "n"))
    var every: Int?

    @Flag(
        help:
            "At the end, print to standard error how long each stage took: decode, sample, infer, track, analyse, write."
    )
    var verbose = false

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= Self.longestRun) {
            throw ValidationError("--for must be more than 0 and at most \(Int(Self.longestRun)) seconds")
        }
        try require(cameraRate, in: 1...1000, "--camera-rate")
        try require(every, in: 1...100_000, "--every")
    }

    private static let longestRun = 8_640_000.0

    func choice(_ argument: String) -> InputChoice {
        var choice = InputChoice(argument)
        choice.live.duration = seconds.map { .seconds($0) }
        choice.transport = transport
        choice.isolation = sandbox ? .thisExecutable : .none
        (choice.orientation, choice.selection) = (turn.orientation, every.map { .every($0) })
        choice.timing = time.timing
        choice.isVerbose = verbose
        if insecure { choice.trust = .anyone }
        choice.cameraSize = cameraSize.map { CGSize(width: $0.width, height: $0.height) }
        choice.cameraRate = cameraRate
        return choice
    }
}

extension StreamAddress.Transport: ExpressibleByArgument {}
