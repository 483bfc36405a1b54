import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

/// Which history is meant: shared by every command that looks into one.
struct HistoryOptionGroup: ParsableArguments {
    @Option(name: .customLong("history"), help: "The history's file, in the place of the standard one.")
    var file: String?

    /// The history's file.
    var url: URL { file.map { URL(filePath: $0) } ?? HistoryStore.standardFile() }

    /// Opens the history; nil where none was ever kept, for looking at it must not make one.
    func existing() throws -> HistoryStore? {
        if FileManager.default.fileExists(atPath: url.path) { return try HistoryStore(url) }
        // A file that was named and is not there is a slip of the pen.
        guard file == nil else {
            throw KinemaError(.unreadableInput, "there is no such file; name the history's file", file: url.path)
        }
        return nil
    }

    /// The sessions meant by ids or their beginnings.
    ///
    /// Throws `.invalidArgument` for a beginning of several, and the exit code 2 for one of none.
    func ids(_ texts: [String]) async throws -> (store: HistoryStore, ids: [UUID]) {
        let store = try existing()
        var ids: [UUID] = []
        for text in texts {
            let found = try await store?.ids(beginningWith: text) ?? []
            guard found.count < 2 else {
                let names = found.prefix(3).map { "\($0)" }.joined(separator: ", ")
                throw KinemaError(.invalidArgument, "\(text) begins several sessions (\(names), …); give more of it")
            }
            guard let id = found.first else {
                Console.shared.line(
                    "kinema: \(url.path): there is no session \(text); `kinema history list` lists them")
                throw ExitStatus.nothingFound.exitCode
            }
            if !ids.contains(id) { ids.append(id) }
        }
        guard let store else { throw ExitStatus.nothingFound.exitCode }
        return (store, ids)
    }
}

/// A day or a moment on a command line: 2026-11-21, or ISO 8601 with a time.
struct DateArgument: ExpressibleByArgument {
    let date: Date
    /// Whether a whole day was named.
    let isDay: Bool

    init?(argument: String) {
        if let moment = (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(argument))
            ?? (try? Date.ISO8601FormatStyle().parse(argument))
        {
            (date, isDay) = (moment, false)
            return
        }
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        let calendar = Calendar(identifier: .gregorian)
        let components = DateComponents(year: year, month: month, day: day)
        guard components.isValidDate(in: calendar), let start = calendar.date(from: components) else { return nil }
        (date, isDay) = (start, true)
    }

    /// The moment after it: a day's last.
    var end: Date {
        guard isDay else { return date }
        return Calendar(identifier: .gregorian).date(byAdding: .day, value: 1, to: date) ?? date
    }
}
