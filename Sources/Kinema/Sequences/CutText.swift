/// Repairs texts whose writing was interrupted.
enum CutText {
    /// Removes the last line of a text if it was cut off; returns whether it was.
    ///
    /// That is a line without an end that is not JSON, or has fewer cells than the line before.
    static func trim(_ bytes: inout [UInt8], _ kind: PoseFileKind, _ limits: PoseFileLimits) -> Bool {
        guard kind == .lines || kind == .table, let last = bytes.last, last != 10, last != 13,
            let end = bytes.lastIndex(where: { $0 == 10 || $0 == 13 })
        else { return false }
        let line = bytes[(end + 1)...]
        guard line.count <= limits.lineBytes else { return false }
        if kind == .lines {
            guard !JSONElements.isWhole(line) else { return false }
        } else {
            let before = bytes[..<end].suffix(limits.lineBytes)
            let previous = before[((before.lastIndex { $0 == 10 || $0 == 13 } ?? before.startIndex - 1) + 1)...]
            let format = TableFormat(previous)
            guard format.cells(line).count < format.cells(previous).count else { return false }
        }
        bytes.removeLast(line.count)
        return true
    }
}
