import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Lists, shows, exports and deletes the sessions that the studio saved.",
        discussion: """
            The history is one SQLite file: $KINEMA_HISTORY, or kinema/history.sqlite in $XDG_DATA_HOME (by default \
            ~/.local/share). Refer to a session by its id or a unique prefix of it.
            """,
        subcommands: [
            HistoryListCommand.self, HistoryShowCommand.self, HistoryExportCommand.self, HistoryExportAllCommand.self,
            HistoryImportCommand.self, HistoryDeleteCommand.self,
        ], defaultSubcommand: HistoryListCommand.self)
}

struct HistoryShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one session: repetitions, throws, pinches or actions with their times and faults.")

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The session's id, or a unique prefix of it.")
    var id: String

    @OptionGroup var results: FormatOptionGroup

    func run() async throws {
        let (store, ids) = try await history.ids([id])
        for id in ids {
            if let format = SessionFormat(rawValue: results.format.rawValue) {
                if let file = try await store.export(id, as: format) { try StandardOutput().write(Array(file.bytes)) }
            } else if let session = try await store.session(id) {
                try StandardOutput().line(SessionText.lines(session))
            }
        }
    }
}

struct HistoryImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Adds the sessions of an exported history.",
        discussion: "Existing sessions are not changed. Nothing is imported from a damaged file.")

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "A file that `kinema history export-all` or the studio wrote.")
    var file: String

    func run() async throws {
        let url = URL(filePath: file)
        // A mistyped name must not create a history.
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw KinemaError(.unreadableInput, "no such file", file: url.path)
        }
        let result = try await HistoryStore(history.url).importAll(from: url)
        try StandardOutput().line(
            "\(PlainText.counted(result.added, "session")) added, \(result.known) already present")
    }
}

struct HistoryDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Permanently deletes sessions from the history.")

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The ids of the sessions, or unique prefixes of them.")
    var id: [String] = []

    @Flag(help: "Delete everything: all sessions, their videos, and the classifiers and exercises made in the studio.")
    var all = false

    func validate() throws {
        guard all != !id.isEmpty else { throw ValidationError("give the ids of sessions, or --all") }
    }

    func run() async throws {
        if all {
            let count = try await history.existing()?.deleteAll() ?? 0
            return try StandardOutput().line("deleted \(PlainText.counted(count, "session"))")
        }
        // Find all before deleting the first, so that an invalid id deletes nothing.
        let (store, ids) = try await history.ids(id)
        for id in ids {
            if try await store.delete(id) { try StandardOutput().line("deleted \(id.uuidString.lowercased())") }
        }
    }
}
