internal import Foundation

extension KinemaError {
    /// Why a file could not be written, from the system's error number (`errno`); 0 when none is known.
    package static func unwritable(_ path: String, errno code: Int32) -> KinemaError {
        let reason =
            switch code {
            case ENOENT, ENOTDIR: "the folder of the output does not exist; make it first"
            case EISDIR: "is a folder; give a file name"
            case EACCES, EPERM, EROFS: "may not be written; check the permissions of its folder"
            case ENOSPC, EDQUOT: "the disk is full; make room or write elsewhere"
            case ENAMETOOLONG: "the name is too long; give a shorter one"
            case 0: "cannot be written; give another file"
            default: "cannot be written (\(String(cString: strerror(code)))); give another file"
            }
        return KinemaError(.unwritableOutput, reason, file: path)
    }

    /// The same from what Foundation threw.
    package static func unwritable(_ path: String, _ error: any Error) -> KinemaError {
        var cause: NSError? = error as NSError
        while let known = cause, known.domain != NSPOSIXErrorDomain {
            cause = known.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return unwritable(path, errno: cause.map { Int32(truncatingIfNeeded: $0.code) } ?? number(of: error))
    }
    /// The system's number for what Foundation says in its own words.
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
