import Foundation
import Kinema

/// What became of each video of a batch: `manifest.jsonl` in the folder of results, a line a video.
struct BatchManifest {
    /// How a video ended.
    enum Status: String, Codable, Sendable {
        /// The result is written.
        case done
        /// The result is written, and says that nobody or nothing was found.
        case nothing
        /// There is no result; `error` says why.
        case failed
    }

    /// One line.
    struct Entry: Codable, Sendable {
        /// The video's absolute path.
        var source: String
        var status: Status
        /// How long it took, seconds.
        var seconds: Double
        /// The result's path within the folder.
        var result: String?
        var error: String?
        /// The task with its options, and what the video was like; when they change, the result is out of date.
        var options: String
        var size: Int?
        var modified: Double?
        /// The SHA-256 of the video's content; absent in manifests of older versions.
        var sha256: String?
    }

    /// The file's name.
    static let name = "manifest.jsonl"

    private let url: URL
    private(set) var entries: [String: Entry] = [:]
    /// The sources in the order in which they were first told.
    private var order: [String] = []

    /// The largest manifest that is taken up, in bytes: a million videos with long names.
    private static let maximumSize = 1 << 30

    /// Begins a manifest, or takes up the one that is there; a last line cut short is left out.
    init(in folder: URL, takesUp: Bool) throws {
        try self.init(reading: folder, takesUp: takesUp)
        try settle()
    }

    /// The same without writing anything.
    init(reading folder: URL, takesUp: Bool = true) throws {
        url = folder.appending(path: Self.name)
        if takesUp, FileManager.default.fileExists(atPath: url.path) {
            let bytes = try BoundedFile.read(
                url, limit: Self.maximumSize, remedy: "take it away, or name another folder for the results")
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                guard let entry = try? JSONDecoder().decode(Entry.self, from: Data(line)) else { continue }
                if entries.updateValue(entry, forKey: entry.source) == nil { order.append(entry.source) }
            }
        }
    }

    /// Leaves one line a video: those done again have two while a batch runs, of which the last counts.
    func settle() throws {
        try ResultFileHandle.write(try order.compactMap { entries[$0] }.flatMap(Self.line), to: url)
    }

    /// Writes a video's line, and that on to the disk.
    mutating func add(_ entry: Entry) throws {
        if entries.updateValue(entry, forKey: entry.source) == nil { order.append(entry.source) }
        do {
            let handle = try FileHandle(forWritingTo: url)
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: Self.line(entry))
            try handle.synchronize()
        } catch {
            throw KinemaError.unwritable(url.path, error)
        }
    }

    private static func line(_ entry: Entry) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(entry)) + [UInt8(ascii: "\n")]
    }
}
