import Foundation
import Kinema

/// The status of each video of a batch: `manifest.jsonl` in the folder of results, a line per video.
struct BatchManifest {
    enum Status: String, Codable, Sendable {
        case done
        /// The result is written; it reports that nobody or nothing was found.
        case nothing
        case failed
    }

    struct Entry: Codable, Sendable {
        var source: String
        var status: Status
        var seconds: Double
        var result, error: String?
        /// The task with its options; a change makes the result out of date.
        var options: String
        var size: Int?
        var modified: Double?
        /// The SHA-256 of the video's content; absent in manifests of older versions.
        var sha256: String?
    }

    static let name = "manifest.jsonl"

    private var file: LineFile
    private(set) var entries: [String: Entry] = [:]
    private var order: [String] = []

    /// The largest manifest to read, in bytes: a million videos with long names.
    private static let maximumSize = 1 << 30

    init(reading folder: URL, takesUp: Bool = true) throws {
        let url = folder.appending(path: Self.name)
        file = LineFile(url)
        if takesUp, FileManager.default.fileExists(atPath: url.path) {
            let bytes = try BoundedFile.read(
                url, limit: Self.maximumSize, remedy: "remove it, or choose another folder for the results")
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                guard let entry = try? JSONDecoder().decode(Entry.self, from: Data(line)) else { continue }
                if entries.updateValue(entry, forKey: entry.source) == nil { order.append(entry.source) }
            }
        }
    }

    /// Rewrites the file with one line per video: a video that ran again has two until then.
    func settle() throws {
        try ResultFileHandle.write(to: file.url) { try $0.write(order.compactMap { entries[$0] }.flatMap(Self.line)) }
    }

    mutating func add(_ entry: Entry) throws {
        if entries.updateValue(entry, forKey: entry.source) == nil { order.append(entry.source) }
        try file.append(Self.line(entry), synchronizes: true)
    }

    private static func line(_ entry: Entry) throws -> [UInt8] {
        return Array(try JSONEncoder.ordered.encode(entry)) + [UInt8(ascii: "\n")]
    }
}

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
