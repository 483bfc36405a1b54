package import Foundation

/// Reads whole regular files up to a size limit; refuses devices, pipes and folders before reading a byte.
package enum BoundedFile {
    enum Refusal: Error {
        case absent, noFile, tooLarge, unreadable

        /// From the system's error number (`errno`).
        init(errno code: Int32) {
            self = [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(code) ? .absent : .unreadable
        }
    }

    /// The bytes of a file, also through a link. Throws `.unreadableInput`, with `remedy` for the user, when it is
    /// missing, not a regular file or unreadable, and with `excess` when it is larger than `limit` bytes.
    package static func read(
        _ url: URL, limit: Int, remedy: String? = nil, excess: String? = nil
    ) throws(KinemaError) -> [UInt8] {
        func refuse(_ reason: String, _ remedy: String?) -> KinemaError {
            KinemaError(.unreadableInput, reason + (remedy.map { "; " + $0 } ?? ""), file: url.path)
        }
        do throws(Refusal) {
            return try bytes(of: url.path, limit: limit)
        } catch {
            switch error {
            case .absent: throw refuse(absence(of: url.path, remedy), nil)
            case .noFile: throw refuse("is not a file", remedy)
            case .tooLarge: throw refuse("is larger than \(text(limit))", excess ?? remedy)
            case .unreadable: throw refuse("cannot be read", "check its permissions")
            }
        }
    }

    /// The bytes of standard input to its end; throws as `read` does when there are more than `limit`.
    package static func readStandardInput(limit: Int, excess: String) throws(KinemaError) -> [UInt8] {
        do throws(Refusal) {
            return try standardInput(limit: limit)
        } catch {
            let reason = error == .tooLarge ? "is larger than \(text(limit)); \(excess)" : "cannot be read"
            throw KinemaError(.unreadableInput, reason, file: "-")
        }
    }

    /// The first bytes of a regular file, also through a link; nil if it cannot be read.
    package static func head(of url: URL, count: Int) -> [UInt8]? { try? bytes(of: url.path, first: count) }

    /// The reason that a file was not found: it does not exist, or its name is not UTF-8.
    package static func absence(of path: String, _ remedy: String? = nil, kind: String = "file") -> String {
        path.contains("\u{FFFD}")
            ? "the name is not UTF-8; rename the file" : "no such \(kind)" + (remedy.map { "; " + $0 } ?? "")
    }

    /// The size of a regular file in bytes, also through a link; nil for anything else.
    package static func size(of url: URL) -> Int? {
        var status = stat()
        guard stat(url.path, &status) == 0, isRegular(status) else { return nil }
        return Int(status.st_size)
    }

    /// Whether a path leads to a pipe, a device or a socket, whose opening may wait for ever.
    package static func isSpecial(_ url: URL) -> Bool {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return false }
        return !isRegular(status) && status.st_mode & S_IFMT != S_IFDIR
    }

    static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

    /// A size in the largest unit that gives a whole number.
    private static func text(_ bytes: Int) -> String {
        if bytes > 0, bytes % (1 << 20) == 0 { return "\(bytes >> 20) MiB" }
        if bytes > 0, bytes % (1 << 10) == 0 { return "\(bytes >> 10) KiB" }
        return PlainText.counted(bytes, "byte")
    }
}
