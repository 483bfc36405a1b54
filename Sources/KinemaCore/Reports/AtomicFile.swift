package import Foundation

/// Writes files completely or not at all.
package enum AtomicFile {
    /// Creates or replaces a file, also through a link; writes to devices and pipes. Throws `unwritableOutput`.
    package static func write(_ bytes: some Collection<UInt8>, to url: URL) throws(KinemaError) {
        try check(link: url)
        let target = url.resolvingSymlinksInPath()
        do {
            switch kind(of: target) {
            case .typeDirectory?: throw POSIXError(.EISDIR)
            case .typeRegular?: try Data(bytes).write(to: target, options: .atomic)
            // A link may lead to something without a path, such as /dev/stdout when it is a pipe.
            case nil where kind(of: url) == nil: try Data(bytes).write(to: target, options: .atomic)
            default:
                let device = try FileHandle(forWritingTo: url)
                try device.write(contentsOf: Data(bytes))
                try device.close()
            }
        } catch {
            throw .unwritable(url.path, error)
        }
    }

    /// Throws `unwritableOutput` for a link that leads nowhere: no file can replace what it names.
    package static func check(link url: URL) throws(KinemaError) {
        guard kind(of: url) == .typeSymbolicLink, !FileManager.default.fileExists(atPath: url.path) else { return }
        throw KinemaError(
            .unwritableOutput, "is a link to a file that does not exist; remove the link", file: url.path)
    }

    /// Removes the files that were written before another one failed; devices and pipes stay.
    package static func remove(_ files: [URL]) {
        for file in files where kind(of: file.resolvingSymlinksInPath()) == .typeRegular {
            try? FileManager.default.removeItem(at: file)
        }
    }

    private static func kind(of url: URL) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
    }
}

extension KinemaError {
    /// The error of an unwritable file, from the system's error number (`errno`); 0 if unknown.
    package static func unwritable(_ path: String, errno code: Int32) -> KinemaError {
        let reason =
            switch code {
            case ENOENT, ENOTDIR: "the folder of the output does not exist; make it first"
            case EISDIR: "is a folder; give a file name"
            case EACCES, EPERM, EROFS: "cannot be written; check the permissions of its folder"
            case ENOSPC, EDQUOT: "the disk is full; make room or write elsewhere"
            case ENAMETOOLONG: "the name is too long; give a shorter one"
            case ELOOP: "is a link that is not followed; remove it"
            // Foundation does not say that a file was too long.
            case 0, EFBIG: tooLong ?? "cannot be written; give another file"
            default: "cannot be written (\(String(cString: strerror(code)))); give another file"
            }
        return KinemaError(.unwritableOutput, reason, file: path)
    }

    /// What to do about the limit on the size of files; nil if there is none.
    private static var tooLong: String? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < 1 << 62 else {
            return nil
        }
        return
            "cannot be written; files may have \(limit.rlim_cur >> 10) kB at most (ulimit -f): raise that or give another file"
    }

    package static func unwritable(_ path: String, _ error: any Error) -> KinemaError {
        var cause: NSError? = error as NSError
        while let known = cause, known.domain != NSPOSIXErrorDomain {
            cause = known.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return unwritable(path, errno: cause.map { Int32(truncatingIfNeeded: $0.code) } ?? number(of: error))
    }

    private static func number(of error: any Error) -> Int32 {
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile?, .fileReadNoSuchFile?: ENOENT
        case .fileWriteNoPermission?: EACCES
        case .fileWriteVolumeReadOnly?: EROFS
        case .fileWriteOutOfSpace?: ENOSPC
        default: 0
        }
    }
}

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
