import Foundation
import Kinema

/// The videos in progress, so that the next run knows which ones the process crashed on.
struct BatchJournal {
    private let url: URL
    /// The number of crashes of the process per video.
    private(set) var deaths: [String: Int]

    /// From this number on, the video counts as the cause; more where parts are kept, since each run works on others.
    let most: Int
    static let name = ".kinema-batch.running"
    /// The largest journal to resume from, in bytes: it names the videos that one run works on at once.
    private static let maximumSize = 1 << 20

    init(in folder: URL, takesUp: Bool, keepsParts: Bool) {
        most = keepsParts ? 5 : 2
        url = folder.appending(path: Self.name)
        let bytes = takesUp ? (try? BoundedFile.read(url, limit: Self.maximumSize)) ?? [] : []
        deaths = (try? JSONDecoder().decode([String: Int].self, from: Data(bytes))) ?? [:]
    }

    mutating func begin(_ source: String) throws {
        deaths[source, default: 0] += 1
        try save()
    }

    mutating func end(_ source: String) throws {
        deaths[source] = nil
        try save()
    }

    private func save() throws {
        guard !deaths.isEmpty else {
            try? FileManager.default.removeItem(at: url)
            return
        }
        // The journal needs to survive a crash of the process, not of the machine.
        try ResultFileHandle.write(to: url, synchronizes: false) {
            try $0.write(Array(try JSONEncoder.ordered.encode(deaths)))
        }
    }

    /// Forgets crashes after which a file below `folder` was written: what advances is tried again.
    mutating func forgiveProgress(in folder: URL) {
        func date(_ path: String) -> Date? {
            (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
        }
        guard let begin = date(url.path) else { return }
        let parts = (FileManager.default.subpaths(atPath: folder.path) ?? []).filter { $0.hasSuffix(".json") }
        if parts.contains(where: { date(folder.appending(path: $0).path) ?? begin > begin }) { deaths = [:] }
    }

    /// Forgets videos that are done: the process crashed between the manifest's entry and this one.
    mutating func forget(_ sources: [String]) throws {
        let known = sources.filter { deaths[$0] != nil }
        guard !known.isEmpty else { return }
        known.forEach { deaths[$0] = nil }
        try save()
    }
}
