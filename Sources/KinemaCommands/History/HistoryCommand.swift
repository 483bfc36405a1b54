import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

/// `kinema history`: the sessions that the studio kept.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Lists, shows, exports and deletes the sessions that the studio saved.",
        discussion: """
            The history is one SQLite file: $KINEMA_HISTORY, or kinema/history.sqlite in $XDG_DATA_HOME (by default \
            ~/.local/share). Name a session by its id, or by enough of its beginning to be unique.
            """,
        subcommands: [
            HistoryListCommand.self, HistoryShowCommand.self, HistoryExportCommand.self, HistoryExportAllCommand.self,
            HistoryImportCommand.self, HistoryDeleteCommand.self,
        ], defaultSubcommand: HistoryListCommand.self)
}

/// Which history is meant: shared by every command that looks into one.
struct HistoryOptionGroup: ParsableArguments {
    @Option(name: .customLong("history"), help: "Use this history file instead of the standard one.")
    var file: String?

    /// The history's file.
    var url: URL { file.map { URL(filePath: $0) } ?? HistoryStore.standardFile() }

    /// Opens the history; nil where none was ever kept, for looking at it must not make one.
    func existing() throws -> HistoryStore? {
        if FileManager.default.fileExists(atPath: url.path) { return try HistoryStore(url) }
        // A file that was named and is not there is a slip of the pen.
        guard file == nil else {
            throw KinemaError(.unreadableInput, "there is no such file; name the history's file", file: url.path)
        }
        return nil
    }

    /// The sessions meant by ids or their beginnings.
    ///
    /// Throws `.invalidArgument` for a beginning of several, and the exit code 2 for one of none.
    func ids(_ texts: [String]) async throws -> (store: HistoryStore, ids: [UUID]) {
        let store = try existing()
        var ids: [UUID] = []
        for text in texts {
            let found = try await store?.ids(beginningWith: text) ?? []
            guard found.count < 2 else {
                let names = found.prefix(3).map { "\($0)" }.joined(separator: ", ")
                throw KinemaError(.invalidArgument, "\(text) begins several sessions (\(names), …); give more of it")
            }
            guard let id = found.first else {
                Console.shared.line(
                    "kinema: \(url.path): there is no session \(text); `kinema history list` lists them")
                throw ExitStatus.nothingFound.exitCode
            }
            if !ids.contains(id) { ids.append(id) }
        }
        guard let store else { throw ExitStatus.nothingFound.exitCode }
        return (store, ids)
    }
}

/// A day or a moment on a command line: 2026-11-21, or ISO 8601 with a time.
struct DateArgument: ExpressibleByArgument {
    let date: Date
    /// Whether a whole day was named.
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

    /// The moment after it: a day's last.
    var end: Date {
        guard isDay else { return date }
        return Calendar(identifier: .gregorian).date(byAdding: .day, value: 1, to: date) ?? date
    }
}

/// `kinema history list`: the sessions, newest first.
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

    @OptionGroup var results: FormatOptionGroup<AnyFormat>

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes 1 or more") }
    }

    func run() async throws {
        let store = try history.existing()
        var sessions: [ListedSession] = []
        var after: SessionCursor?
        repeat {
            let most = min(limit.map { $0 - sessions.count } ?? Self.part, Self.part)
            let page = try await store?.list(
                mode: mode, from: from?.date, to: to?.end, after: after, limit: most)
            sessions += page?.sessions ?? []
            after = page?.next
        } while after != nil && sessions.count < limit ?? .max
        try StandardOutput().write(try SessionList(sessions).bytes(as: results.format))
    }

    /// Sessions read at once, so that a studio can write between two parts.
    private static let part = 1_000
}

extension StoredSession.Mode: ExpressibleByArgument {}

/// `kinema history show`: one session.
struct HistoryShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one session: repetitions, throws, pinches or actions with their times and faults.")

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The session's id, or the beginning of it.")
    var id: String

    @OptionGroup var results: FormatOptionGroup<AnyFormat>

    func run() async throws {
        let (store, ids) = try await history.ids([id])
        for id in ids {
            switch results.format {
            case .text:
                if let session = try await store.session(id) { try StandardOutput().line(SessionText.lines(session)) }
            case .json: try await write(store, id, .json)
            case .jsonl: try await write(store, id, .jsonl)
            case .csv: try await write(store, id, .csv)
            }
        }
    }

    private func write(_ store: HistoryStore, _ id: UUID, _ format: SessionFormat) async throws {
        if let file = try await store.export(id, as: format) { try StandardOutput().write(Array(file.bytes)) }
    }
}

/// `kinema history export`: a session as a file.
struct HistoryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Exports a session to a file: data, a chart, or its poses.",
        discussion: """
            json, jsonl and csv hold what happened, svg and png a chart. Sessions with saved poses also export as trc, mot \
            (joint angles), coco.json, openpose.zip, poses.jsonl and poses.csv. For several people, trc and mot come as \
            a zip with one file each. Sessions that were corrected or marked in the studio also export as labels.csv and, \
            with saved poses, as labels.zip: unpacked, `kinema evaluate count labels.csv` and `kinema train marks.csv` \
            read them as they are.
            """)

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The session's id, or the beginning of it.")
    var id: String

    @Option(help: "The format. (default: from the name of --output)")
    var `as`: SessionFormat?

    @Option(
        name: .shortAndLong, help: "The file to write, or - for standard output. (default: named after the session)")
    var output: String?

    func validate() throws {
        guard format != nil else {
            throw ValidationError("no format is given; use --as, or an --output that ends in a format")
        }
    }

    func run() async throws {
        guard let format else { return }
        let (store, ids) = try await history.ids([id])
        for id in ids {
            guard let file = try await store.export(id, as: format) else { continue }
            Console.shared.warn(file.notes)
            if output == "-" {
                try StandardOutput().write(Array(file.bytes))
            } else {
                let place = URL(filePath: output ?? file.name)
                try OutputPlace.check(place.path)
                try AtomicFile.write(Array(file.bytes), to: place)
                try StandardOutput().line(place.relativePath)
            }
        }
    }

    /// The format asked for; the longest of those the name ends in.
    private var format: SessionFormat? {
        if let format = self.as { return format }
        guard let name = output?.lowercased() else { return nil }
        return SessionFormat.allCases.filter { name.hasSuffix("." + $0.rawValue) }
            .max { $0.rawValue.count < $1.rawValue.count }
    }
}

extension SessionFormat: ExpressibleByArgument {
    /// The names of the formats.
    public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

/// `kinema history delete`: takes sessions out for good.
struct HistoryDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes sessions from the history for good.")

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The ids of the sessions, or the beginnings of them.")
    var id: [String] = []

    @Flag(help: "Delete everything: all sessions, their videos, and the classifiers trained in the studio.")
    var all = false

    func validate() throws {
        guard all != !id.isEmpty else { throw ValidationError("name sessions by their ids, or give --all") }
    }

    func run() async throws {
        if all {
            let count = try await history.existing()?.deleteAll() ?? 0
            return try StandardOutput().line("deleted \(PlainText.counted(count, "session"))")
        }
        // All are looked up before the first goes: a slip in one leaves the others.
        let (store, ids) = try await history.ids(id)
        for id in ids {
            if try await store.delete(id) { try StandardOutput().line("deleted \(id.uuidString.lowercased())") }
        }
    }
}
