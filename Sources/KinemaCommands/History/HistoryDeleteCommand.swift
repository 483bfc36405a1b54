import ArgumentParser
import Foundation
import KinemaStudio

/// `kinema history delete`: takes sessions out for good.
struct HistoryDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Takes sessions out of the history for good.")

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The sessions' ids, or their beginnings.")
    var id: [String]

    func run() async throws {
        // All are looked up before the first goes: a slip in one leaves the others.
        let (store, ids) = try await history.ids(id)
        for id in ids {
            if try await store.delete(id) { try StandardOutput().line("deleted \(id.uuidString.lowercased())") }
        }
    }
}
