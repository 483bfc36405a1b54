import ArgumentParser

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
