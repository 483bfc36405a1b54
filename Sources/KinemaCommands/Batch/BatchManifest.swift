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
