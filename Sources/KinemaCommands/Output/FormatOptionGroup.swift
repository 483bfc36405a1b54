import ArgumentParser

/// The formats that a command writes.
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

/// `--format`: shared by the commands that write results to standard output.
struct FormatOptionGroup<Choice: FormatChoice>: ParsableArguments {
    @Option(help: "The format of the results on standard output\(Self.isEvery ? "" : ": " + Self.list).")
    var format = OutputFormat.text

    private static var isEvery: Bool { Choice.formats.count == OutputFormat.allCases.count }

    /// The names of the formats in words.
    private static var list: String {
        let names = Choice.formats.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    func validate() throws {
        guard Choice.formats.contains(format) else { throw ValidationError("--format must be \(Self.list)") }
    }
}

/// How results are written to standard output.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    case json
    /// One JSON value a line, as soon as it is known.
    case jsonl
    case csv
}
