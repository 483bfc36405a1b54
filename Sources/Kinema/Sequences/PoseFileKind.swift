import Foundation
import KinemaMotion

/// The kind of a pose file, recognised by its first bytes and only then by its name.
enum PoseFileKind: String {
    /// JSON, one value per line.
    case lines = "jsonl"
    /// JSON, one value.
    case document = "json"
    case table = "csv"
    case array = "npy"
    case archive = "npz"
    case markers = "trc"

    /// The number of bytes examined: more than a table's header line.
    static let headBytes = 1 << 16

    init?(named url: URL) {
        let bare = PackedFile.endings.contains(url.pathExtension.lowercased()) ? url.deletingPathExtension() : url
        self.init(rawValue: bare.pathExtension.lowercased())
    }

    /// The kind of a file that begins with these unpacked bytes; nil if they hold no poses. `isWhole` means that no
    /// more follow.
    init?(_ head: [UInt8], isWhole: Bool, name: PoseFileKind? = nil) {
        if NumpyArray.isArray(head) {
            self = .array
        } else if NumpyArchive.isArchive(head) {
            self = .archive
        } else if head.starts(with: "PathFileType".utf8) {
            self = .markers
        } else if let first = head.first(where: { !Self.spaces.contains($0) }), Self.brackets.contains(first) {
            self = name == .lines || Self.isLines(head) ? .lines : .document
        } else if Self.isTable(head, isWhole: isWhole) {
            self = .table
        } else {
            return nil
        }
    }

    private static let spaces: Set<UInt8> = [32, 9, 10, 13, 0xEF, 0xBB, 0xBF]
    private static let brackets = Array("[{".utf8)

    /// Whether each line is a JSON value: the first one is, and another one begins after it.
    private static func isLines(_ head: [UInt8]) -> Bool {
        var lines = ByteLines(head)
        guard let (_, first) = lines.next() else { return false }
        let text = first.drop { spaces.contains($0) }
        guard let next = lines.next() else {
            // A single line counts if it is one of ours, with a time and people, and no table of columns.
            return ["{\"frame\":", "{\"time\":"].contains { start in
                let value = text.dropFirst(start.utf8.count).first { !spaces.contains($0) }
                return text.starts(with: start.utf8) && !brackets.contains(value ?? 0)
            }
        }
        let follows = next.text.first { !spaces.contains($0) }
        return follows.map(brackets.contains) == true && JSONElements.isWhole(text)
    }

    /// Whether a text has lines of cells that name joints, or whose count of numbers fits a joint order.
    private static func isTable(_ head: [UInt8], isWhole: Bool) -> Bool {
        var lines = ByteLines(head)
        guard let (_, first) = lines.next(), first.count < head.count || isWhole, !first.contains(0) else {
            return false
        }
        let format = TableFormat(first)
        let cells = format.cells(first)
        var rest = lines
        let head = TableHead(cells, format, &rest)
        if head.people.contains(where: { PoseColumns($0) != nil }) || LongColumns(cells) != nil { return true }
        let row = lines.next().map { format.cells($0.text) } ?? cells
        let isRow = [ActionSubject.body, .hand].contains { NumberRow(row.count, of: $0) != nil }
        return isRow && row.allSatisfy { format.number($0) != nil }
    }
}
