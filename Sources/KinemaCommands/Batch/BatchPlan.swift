import Foundation
import Kinema

/// What is to be done in a batch, and what is done already.
struct BatchPlan {
    /// A video that is to be worked on.
    struct Item: Sendable {
        var input: BatchInput
        /// The result's path within the folder.
        var result: String
    }

    private(set) var items: [Item] = []
    private(set) var skipped = 0
    /// Videos that made the process die as often as is borne.
    private(set) var deadly: [BatchInput] = []

    init(
        _ inputs: [BatchInput], ending: String, options: String, manifest: BatchManifest, deaths: [String: Int],
        folder: URL
    ) {
        var taken = Dictionary(
            manifest.entries.values.compactMap { entry in entry.result.map { ($0, entry.source) } },
            uniquingKeysWith: { first, _ in first })
        var suspects: [Item] = []
        for input in inputs {
            var result = "\(input.name).\(ending)"
            // Files of one name from several folders: the later ones carry a mark of their own path.
            if let owner = taken[result], owner != input.source {
                result = "\(input.name)-\(Self.mark(input.source)).\(ending)"
            }
            taken[result] = input.source
            if let entry = manifest.entries[input.source], Self.isGood(entry, input, options, folder) {
                skipped += 1
                continue
            }
            switch deaths[input.source] ?? 0 {
            case BatchJournal.most...: deadly.append(input)
            case 0: items.append(Item(input: input, result: result))
            default: suspects.append(Item(input: input, result: result))
            }
        }
        // Last, and one by one (see BatchRun): they must not take others with them.
        self.suspects = suspects
    }

    /// Videos the process died with once, perhaps because of another one beside it.
    let suspects: [Item]

    private static func isGood(
        _ entry: BatchManifest.Entry, _ input: BatchInput, _ options: String, _ folder: URL
    ) -> Bool {
        guard entry.status != .failed, entry.options == options, let result = entry.result, let state = input.state,
            entry.size == state.size, entry.modified == state.modified
        else { return false }
        return FileManager.default.fileExists(atPath: folder.appending(path: result).path)
    }

    /// Eight digits that are the same for the same path every time (FNV-1a, 32 bits).
    private static func mark(_ text: String) -> String {
        let hash = text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// A video of a batch.
struct BatchInput: Sendable, Hashable {
    /// The path as the command gets it.
    let path: String
    /// The path in the folder of results, without a format's ending.
    let name: String

    /// What it is known by in the manifest, wherever the command is started.
    var source: String { URL(filePath: path).standardizedFileURL.path }

    /// What has to be the same for a result to be still good; nil when there is no such file.
    var state: (size: Int, modified: Double)? {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        guard let size = attributes?[.size] as? Int, let date = attributes?[.modificationDate] as? Date else {
            return nil
        }
        return (size, (date.timeIntervalSince1970 * 1000).rounded() / 1000)
    }

    /// What FFmpeg's usual containers are called.
    private static let endings: Set = [
        "3gp", "avi", "flv", "gif", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "mxf", "ogv", "ts",
        "webm",
        "wmv",
    ]

    /// The videos of paths in order, each once: files as they are named, folders with all below them; not hidden ones,
    /// nor what lies in the folder of results.
    static func find(_ paths: [String], outside results: URL) -> [BatchInput] {
        var seen: Set<String> = []
        let excluded = results.standardizedFileURL.resolvingSymlinksInPath().path + "/"
        return paths.flatMap { path -> [BatchInput] in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
                return [BatchInput(path: plain(path), name: URL(filePath: path).lastPathComponent)]
            }
            return videos(in: path).map {
                BatchInput(path: plain(path + ($0.hasPrefix("/") ? "" : "/") + $0), name: $0)
            }
        }.filter { input in
            let place = URL(filePath: input.path).standardizedFileURL.resolvingSymlinksInPath().path
            return !place.hasPrefix(excluded) && seen.insert(place).inserted
        }
    }

    private static func videos(in folder: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            endings.contains(URL(filePath: name).pathExtension.lowercased())
                && !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }.sorted()
    }

    /// Never what the command takes for an option, a camera or standard input.
    private static func plain(_ path: String) -> String {
        path.hasPrefix("/") || path.hasPrefix(".") ? path : "./" + path
    }
}

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
        url = folder.appending(path: Self.name)
        if takesUp, FileManager.default.fileExists(atPath: url.path) {
            let bytes = try BoundedFile.read(
                url, limit: Self.maximumSize, remedy: "take it away, or name another folder for the results")
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                guard let entry = try? JSONDecoder().decode(Entry.self, from: Data(line)) else { continue }
                if entries.updateValue(entry, forKey: entry.source) == nil { order.append(entry.source) }
            }
        }
        try settle()
    }

    /// Leaves one line a video: those done again have two while a batch runs, of which the last counts.
    func settle() throws {
        try AtomicFile.write(try order.compactMap { entries[$0] }.flatMap(Self.line), to: url)
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
