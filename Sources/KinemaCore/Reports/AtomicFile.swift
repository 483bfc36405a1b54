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
            case 0: "cannot be written; give another file"
            default: "cannot be written (\(String(cString: strerror(code)))); give another file"
            }
        return KinemaError(.unwritableOutput, reason, file: path)
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
