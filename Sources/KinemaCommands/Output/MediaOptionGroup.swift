import ArgumentParser

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

    @OptionGroup var results: FormatOptionGroup<AnyFormat>

    var format: OutputFormat { results.format }

    var choice: InputChoice { live.choice(input) }
}
