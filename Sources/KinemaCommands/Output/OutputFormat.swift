import ArgumentParser

/// How results are written to standard output.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// For people.
    case text
    /// One JSON value.
    case json
    /// One JSON value a line, as soon as it is known.
    case jsonl
    /// A table with a header.
    case csv
}
