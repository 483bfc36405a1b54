import Foundation
import Kinema

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
