import KinemaHistory
import ArgumentParser
import Foundation
import KinemaCommands
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

struct HistoryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Exports a session to a file: data, a chart, or its poses.",
        discussion: """
            json, jsonl and csv contain the results, svg and png a chart. Sessions with saved poses also export as trc, mot \
            (joint angles), coco.json, openpose.zip, poses.jsonl and poses.csv. For several people, trc and mot come as \
            a zip with one file each. Sessions that were corrected or marked in the studio also export as labels.csv and, \
            with saved poses, as labels.zip: unpacked, `kinema evaluate count labels.csv` and `kinema train marks.csv` \
            read them directly.
            """)

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The session's id, or a unique prefix of it.")
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
                try OutputPlace.check(output ?? file.name)
                let place = URL(filePath: output ?? file.name)
                try AtomicFile.write(Array(file.bytes), to: place)
                try StandardOutput().line(place.relativePath)
            }
        }
    }

    private var format: SessionFormat? {
        if let format = self.as { return format }
        guard let name = output?.lowercased() else { return nil }
        return SessionFormat.allCases.filter { name.hasSuffix("." + $0.rawValue) }
            .max { $0.rawValue.count < $1.rawValue.count }
    }
}

extension SessionFormat: ExpressibleByArgument {}

struct HistoryExportAllCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export-all", abstract: "Exports the whole history to one zip file.",
        discussion: """
            The file contains all sessions with corrections, marks, notes and poses, and the classifiers and \
            exercises made in the studio. `kinema history import` and the studio's page read it back.
            """)

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The file to write.")
    var file: String

    @Flag(help: "Include the videos.")
    var videos = false

    func run() async throws {
        guard let store = try history.existing() else {
            throw Console.shared.nobody(in: history.url.path, "there is no history yet")
        }
        try OutputPlace.check(file)
        let place = URL(filePath: file)
        try await store.exportAll(to: place, withVideos: videos)
        try StandardOutput().line(place.relativePath)
    }
}

struct HistoryOptionGroup: ParsableArguments {
    @Option(name: .customLong("history"), help: "Use this history file instead of the standard one.")
    var file: String?

    var url: URL { file.map { URL(filePath: $0) } ?? HistoryStore.standardFile() }

    /// Opens the history; nil if there is none, since reading must not create one.
    func existing() throws -> HistoryStore? {
        if FileManager.default.fileExists(atPath: url.path) { return try HistoryStore(url) }
        // A missing file that was named is a typing error.
        guard file == nil else {
            throw KinemaError(.unreadableInput, "no such file; give the history's file", file: url.path)
        }
        return nil
    }

    /// The sessions with these ids or beginnings; throws `.invalidArgument` if ambiguous, exit code 2 if unknown.
    func ids(_ texts: [String]) async throws -> (store: HistoryStore, ids: [UUID]) {
        let store = try existing()
        var ids: [UUID] = []
        for text in texts {
            let found = try await store?.ids(beginningWith: text) ?? []
            guard found.count < 2 else {
                let names = found.prefix(3).map { "\($0)" }.joined(separator: ", ")
                throw KinemaError(
                    .invalidArgument, "\(text) matches several sessions (\(names), …); give more of the id")
            }
            guard let id = found.first else {
                throw Console.shared.nobody(
                    in: url.path, "there is no session \(text); `kinema history list` lists them")
            }
            if !ids.contains(id) { ids.append(id) }
        }
        guard let store else { throw ExitStatus.nothingFound.exitCode }
        return (store, ids)
    }
}
