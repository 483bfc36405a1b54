import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

struct HistoryShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one session: repetitions, throws, pinches or actions with their times and faults.")

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The session's id, or a unique prefix of it.")
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
