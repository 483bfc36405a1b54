import Foundation
import Kinema
import KinemaCore
import KinemaMedia

struct BatchInput: Sendable, Hashable {
    let path: String
    /// The path in the folder of results, without a format's ending.
    let name: String

    /// The name in the manifest, which does not depend on the current folder.
    var source: String { URL(filePath: path).standardizedFileURL.path }

    /// Size and date, whose change makes a result out of date; nil without a file.
    var state: (size: Int, modified: Double)? {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        guard let size = attributes?[.size] as? Int, let date = attributes?[.modificationDate] as? Date else {
            return nil
        }
        return (size, (date.timeIntervalSince1970 * 1000).rounded() / 1000)
    }

    var sha256: String? { try? ContentDigest.sha256(contentsOf: URL(filePath: path)) }

    /// The endings of FFmpeg's usual containers.
    private static let endings: Set = [
        "3gp", "avi", "flv", "gif", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "mxf", "ogv", "ts",
        "webm", "wmv",
    ]

    static func find(_ paths: [String], outside results: URL) -> [BatchInput] {
        var seen: Set<String> = []
        let excluded = results.standardizedFileURL.resolvingSymlinksInPath().path + "/"
        return paths.flatMap { path -> [BatchInput] in
            guard FileManager.default.isFolder(path) else {
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
        let root = URL(filePath: folder, directoryHint: .isDirectory)
        return all.filter { name in
            let place = root.appending(path: name)
            return endings.contains(place.pathExtension.lowercased())
                && !name.split(separator: "/").contains { $0.hasPrefix(".") }
                && !BoundedFile.isSpecial(place) && !FileManager.default.isFolder(place.path)
        }.sorted()
    }

    /// A path that the command cannot mistake for an option, a camera or standard input.
    private static func plain(_ path: String) -> String {
        path.hasPrefix("/") || path.hasPrefix(".") ? path : "./" + path
    }
}

/// The pending and the finished work of a batch.
struct BatchPlan {
    struct Item: Sendable {
        var input: BatchInput
        var result: String
        var state: State
    }

    enum State: Sendable {
        /// Its result exists and is up to date.
        case done
        case todo
        /// The process crashed on it, perhaps because of a video that ran at the same time.
        case suspect
        /// The process crashed on it too often.
        case deadly
    }

    private(set) var items: [Item] = []

    init(
        _ inputs: [BatchInput], ending: String, options: String, manifest: BatchManifest, journal: BatchJournal,
        folder: URL
    ) {
        var taken = Dictionary(
            manifest.entries.values.compactMap { entry in entry.result.map { ($0, entry.source) } },
            uniquingKeysWith: { first, _ in first })
        taken[BatchManifest.name] = ""
        for input in inputs {
            var result = "\(input.name).\(ending)"
            let isLong = URL(filePath: result).lastPathComponent.utf8.count > ResultFileHandle.longestName
            // If several folders have files of the same name, later ones get a hash of their path; so does a long name.
            if isLong || taken[result, default: input.source] != input.source {
                let name = isLong ? Self.shortened(input.name) : input.name
                result = "\(name)-\(Self.mark(input.source)).\(ending)"
            }
            taken[result] = input.source
            var item = Item(input: input, result: result, state: .todo)
            if let entry = manifest.entries[input.source], Self.isGood(entry, input, options, folder) {
                (item.state, item.result) = (.done, entry.result ?? result)
            } else if let deaths = journal.deaths[input.source], deaths > 0 {
                item.state = deaths >= journal.most ? .deadly : .suspect
            }
            items.append(item)
        }
    }

    func items(_ state: State) -> [Item] { items.filter { $0.state == state } }

    private static func isGood(
        _ entry: BatchManifest.Entry, _ input: BatchInput, _ options: String, _ folder: URL
    ) -> Bool {
        guard entry.status != .failed, entry.options == options, let result = entry.result, let state = input.state,
            entry.size == state.size, !result.split(separator: "/").contains(".."),
            let kept = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: result).path),
            let size = kept[.size] as? Int, size > 0
        else { return false }
        // A copied or touched video is the same video.
        return entry.modified == state.modified || (entry.sha256 != nil && entry.sha256 == input.sha256)
    }

    /// The path with the beginning of its last name, which leaves room for a hash and an ending.
    private static func shortened(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(path.dropLast(name.count)) + PlainText.prefix(String(name), bytes: 200)
    }

    /// A hash of a path in eight hexadecimal digits (FNV-1a, 32 bits).
    static func mark(_ text: String) -> String {
        let hash = text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension BatchPlan {
    /// Writes the plan of `--resume`, a line per video.
    func write(task: JobTask, options: [String]) throws {
        for item in items {
            try StandardOutput().jsonLine { json in
                json.object { json in
                    json.field("path", item.input.source)
                    if let size = item.input.state?.size { json.field("size", size) }
                    if let digest = item.input.sha256 {
                        json.field("sha256", digest)
                    } else {
                        json.field("error", "cannot be read")
                    }
                    json.field("task", task.rawValue)
                    json.field("options", strings: options)
                    json.field("result", item.result)
                    json.field("done", item.state == .done)
                }
            }
        }
    }
}
