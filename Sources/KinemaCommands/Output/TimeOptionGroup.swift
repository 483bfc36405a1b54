import ArgumentParser
import Kinema

/// How the times of a file become seconds of what was filmed.
struct TimeOptionGroup: ParsableArguments {
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

    var timing: FrameTiming { speed.map { .speed($0) } ?? realRate.map { .recorded($0) } ?? .tagged }
}

extension InputChoice {
    /// The same input with these times; throws `invalidArgument` for an input that has no others.
    func timed(_ timing: FrameTiming) throws -> InputChoice {
        var choice = self
        choice.timing = timing
        if timing != .tagged, isLive { throw refusal(of: "--speed and --real-rate", "files; this input is live") }
        if case .recorded = timing, poseFile != nil { throw refusal(of: "--real-rate", "videos; use --fps or --speed") }
        return choice
    }
}
