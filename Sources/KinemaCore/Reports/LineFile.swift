package import Foundation

/// A file to which whole lines are appended, wherever its path leads at the moment: what is written into a file that was
/// removed, or moved away by a program that rotates files, would be lost.
package struct LineFile: Sendable {
    package let url: URL
    private var file: FileHandle?

    /// The most bytes at the end of a file that are searched for the end of the last whole line.
    private static let longestLine = 4 << 20

    package init(_ url: URL) { self.url = url }

    /// Appends a line, all or nothing. The first time, and where the file was removed or replaced, makes the file and its
    /// folder and cuts off half a line that a killed process has left; returns whether it was removed or replaced.
    @discardableResult
    package mutating func append(_ line: some Sequence<UInt8>, synchronizes: Bool = false) throws(KinemaError) -> Bool {
        let isLost = file.map { !Self.isKept($0, at: url) } ?? false
        if isLost { file = nil }
        do {
            let file = try self.file ?? Self.opened(url)
            self.file = file
            // Another program may have cut the file.
            let end = try file.seekToEnd()
            do {
                try file.write(contentsOf: Data(line))
                if synchronizes { try file.synchronize() }
            } catch {
                // A full disk leaves no half of a line.
                try? file.truncate(atOffset: end)
                throw error
            }
        } catch {
            file = nil
            throw error as? KinemaError ?? .unwritable(url.path, error)
        }
        return isLost
    }

    private static func opened(_ url: URL) throws -> FileHandle {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = open(url.path, flags, 0o666)
        var found = stat()
        guard descriptor >= 0 else { throw KinemaError.unwritable(url.path, errno: errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            throw KinemaError(.unwritableOutput, "is no file; results go into files of their own", file: url.path)
        }
        let end = try file.seekToEnd()
        let start = end - min(end, UInt64(longestLine))
        try file.seek(toOffset: start)
        let tail = try file.read(upToCount: longestLine) ?? Data()
        let lineEnd = tail.lastIndex(of: 10).map { start + UInt64(tail.distance(from: tail.startIndex, to: $0)) + 1 }
        if let whole = lineEnd ?? (start == 0 ? 0 : nil), whole < end { try file.truncate(atOffset: whole) }
        return file
    }

    /// Whether a path still leads to an open file or folder.
    package static func isKept(_ file: FileHandle, at url: URL) -> Bool {
        var (own, found) = (stat(), stat())
        return fstat(file.fileDescriptor, &own) == 0 && lstat(url.path, &found) == 0 && own.st_ino == found.st_ino
            && own.st_dev == found.st_dev
    }
}
