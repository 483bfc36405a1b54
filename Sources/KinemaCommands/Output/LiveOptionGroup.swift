public import ArgumentParser
import Foundation
public import Kinema

/// How a camera or a stream is read: shared by every command that looks at a video.
struct LiveOptionGroup: ParsableArguments {
    @Option(name: .customLong("for"), help: "Read only so many seconds of the input; a camera never ends by itself.")
    var seconds: Double?

    @Option(help: "How an rtsp:// stream travels: tcp, or udp for servers that offer nothing else.")
    var transport = StreamAddress.Transport.tcp

    @Flag(help: "Take any certificate of an https:// or rtsps:// server, as of a camera that signs its own.")
    var insecure = false

    @Option(help: "Ask the camera for pictures of that size, such as 1280x720; the nearest it has are taken.")
    var cameraSize: ViewSize?

    @Option(help: "Ask the camera for so many frames a second; 30 by default.")
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
        if insecure { choice.trust = .anyone }
        choice.cameraSize = cameraSize.map { CGSize(width: $0.width, height: $0.height) }
        choice.cameraRate = cameraRate
        return choice
    }
}

extension StreamAddress.Transport: ExpressibleByArgument {}
