import ArgumentParser
import Foundation
import KinemaStudio

/// A day or a time on a command line: 2026-11-21, or ISO 8601 with a time.
struct DateArgument: ExpressibleByArgument {
    let date: Date
    let isDay: Bool

    init?(argument: String) {
        if let moment = (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(argument))
            ?? (try? Date.ISO8601FormatStyle().parse(argument))
        {
            (date, isDay) = (moment, false)
            return
        }
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        let calendar = Calendar(identifier: .gregorian)
        let components = DateComponents(year: year, month: month, day: day)
        guard components.isValidDate(in: calendar), let start = calendar.date(from: components) else { return nil }
        (date, isDay) = (start, true)
    }

    var end: Date {
        guard isDay else { return date }
        return Calendar(identifier: .gregorian).date(byAdding: .day, value: 1, to: date) ?? date
    }
}

struct HistoryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the saved sessions, newest first.")

    @OptionGroup var history: HistoryOptionGroup

    @Option(help: "Only sessions of this mode.")
    var mode: StoredSession.Mode?

    @Option(help: "Only sessions since this day (2026-11-21) or moment (2026-11-21T18:30:00Z).")
    var from: DateArgument?

    @Option(help: "Only sessions up to and including this day, or before this moment.")
    var to: DateArgument?

    @Option(help: "List at most this many sessions.")
    var limit: Int?

    @OptionGroup var results: FormatOptionGroup

    func validate() throws { if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") } }

    func run() async throws {
        let store = try history.existing()
        var sessions: [ListedSession] = []
        var after: SessionCursor?
        repeat {
            let most = min(limit.map { $0 - sessions.count } ?? Self.part, Self.part)
            let page = try await store?.list(mode: mode, from: from?.date, to: to?.end, after: after, limit: most)
            sessions += page?.sessions ?? []
            after = page?.next
        } while after != nil && sessions.count < limit ?? .max
        try StandardOutput().write(try SessionList(sessions: sessions).bytes(as: results.format))
    }

    /// Sessions to read at once, so that a studio can write in between.
    private static let part = 1_000
}

extension StoredSession.Mode: ExpressibleByArgument {}
