import ArgumentParser
import Foundation
import KinemaStudio

/// `kinema history list`: the sessions, newest first.
struct HistoryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the kept sessions, newest first.")

    @OptionGroup var history: HistoryOptionGroup

    @Option(help: "Only sessions of one mode: poses, count, coach, draw, toss or classify.")
    var mode: KeptSession.Mode?

    @Option(help: "Only sessions from that day (2026-11-21) or moment (2026-11-21T18:30:00Z) on.")
    var from: DateArgument?

    @Option(help: "Only sessions to that day, it included, or before that moment.")
    var to: DateArgument?

    @Option(help: "At most so many.")
    var limit: Int?

    @Option(help: "What standard output gets: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes 1 or more") }
    }

    func run() async throws {
        let sessions = try await history.existing()?.sessions(
            mode: mode, from: from?.date, to: to?.end, limit: limit)
        try StandardOutput().write(try SessionList(sessions ?? []).bytes(as: format))
    }
}

extension KeptSession.Mode: ExpressibleByArgument {}
