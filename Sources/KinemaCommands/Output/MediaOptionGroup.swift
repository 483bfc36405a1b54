import ArgumentParser
import Kinema

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

    @Flag(
        help: """
            On the overlay, also show each joint's position and angle, rings around joints below a confidence of 0.5, and the \
            rate of the analysis: green from 24 frames per second, yellow from 12, otherwise red.
            """)
    var readout = false

    @OptionGroup var results: FormatOptionGroup

    func validate() throws {
        if hide != nil, overlay == nil { throw ValidationError("--hide requires --overlay") }
        if readout, overlay == nil { throw ValidationError("--readout requires --overlay") }
    }

    var format: OutputFormat { results.format }

    var choice: InputChoice { live.choice(input) }
}

extension Hiding: ExpressibleByArgument {}
