import ArgumentParser
import Kinema
import KinemaStudio

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
