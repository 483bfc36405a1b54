import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

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
