import ArgumentParser

/// `kinema history`: the sessions that the studio kept.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Lists, shows, exports and deletes the sessions that the studio kept.",
        discussion: """
            The history is one SQLite file: $KINEMA_HISTORY, else kinema/history.sqlite in $XDG_DATA_HOME, by default in \
            ~/.local/share. A session is named by its id or as much of its beginning as is unique.
            """,
        subcommands: [
            HistoryListCommand.self, HistoryShowCommand.self, HistoryExportCommand.self, HistoryDeleteCommand.self,
        ], defaultSubcommand: HistoryListCommand.self)
}
