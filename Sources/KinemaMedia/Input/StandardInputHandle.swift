internal import CSandbox
internal import Foundation

/// Peeks at standard input without consuming it.
package enum StandardInput {
    /// The first bytes of standard input, which remain readable; empty for anything but a file or a pipe.
    package static func head(count: Int) -> [UInt8] {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { return [] }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return read(count) { pread(STDIN_FILENO, $0, count, lseek(STDIN_FILENO, 0, SEEK_CUR)) }
        case S_IFIFO: return pipeHead(count)
        default: return []
        }
    }

    private static func pipeHead(_ count: Int) -> [UInt8] {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return [] }
        defer { ends.forEach { close($0) } }
        // A pipe holds at least a page, and nothing empties it meanwhile.
        let copied = kinema_copy_pipe(STDIN_FILENO, ends[1], count)
        guard copied > 0 else { return [] }
        return read(Int(copied)) { Foundation.read(ends[0], $0, Int(copied)) }
    }

    private static func read(_ count: Int, _ body: (UnsafeMutableRawPointer) -> Int) -> [UInt8] {
        // SAFETY: `body` gets storage for `count` bytes during the call only and returns how many it wrote.
        [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            filled = room.baseAddress.map { max(0, body(UnsafeMutableRawPointer($0))) } ?? 0
        }
    }
}
