import ArgumentParser

enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    case json
    /// JSON Lines, written at once.
    case jsonl
    case csv
}
