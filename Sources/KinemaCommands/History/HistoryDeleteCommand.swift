import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

struct HistoryDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Permanently deletes sessions from the history.")

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The ids of the sessions, or unique prefixes of them.")
    var id: [String] = []

    @Flag(help: "Delete everything: all sessions, their videos, and the classifiers trained in the studio.")
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
