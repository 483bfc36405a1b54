import ArgumentParser
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
