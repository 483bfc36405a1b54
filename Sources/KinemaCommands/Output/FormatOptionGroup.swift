import ArgumentParser

/// The option `--format`.
struct FormatOptionGroup: ParsableArguments {
    @Option(help: "The format of the results on standard output.")
    var format = OutputFormat.text
}
