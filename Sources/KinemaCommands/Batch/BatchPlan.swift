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
