import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

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
