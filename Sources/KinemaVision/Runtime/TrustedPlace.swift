import Foundation
import KinemaCore

/// Whether what lies at a place may run in this process: whether only those could have put it there who may anyway.
///
/// These are root, the user, and who owns the running program. Every folder on the way counts, links with theirs, since
/// whoever may write into one of them can put another in its place. Others must not write; in a folder such as /tmp
/// they may, since there nobody moves what is somebody else's (the sticky bit). A group may write when it is root's or has
/// the owner's own number, as the private groups of Debian, Ubuntu and Fedora have.
enum TrustedPlace {
    /// What is wrong with a file or a folder or with the way to it, and what to do; nil when nothing is or it is absent.
    static func objection(to url: URL) -> String? {
        var rest = Array(url.absoluteURL.path.split(separator: "/").reversed())
        var (place, links) = (Substring("/"), 0)
        if let objection = objection(at: "/", of: url) { return objection }
        while let name = rest.popLast() {
            if name == "." || name == ".." {
                if name == ".." { place = place.prefix(upTo: place.lastIndex(of: "/") ?? place.startIndex) }
                if place.isEmpty { place = "/" }
                continue
            }
            let next = place == "/" ? "/\(name)" : "\(place)/\(name)"
            if let objection = objection(at: next, of: url) { return objection }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else {
                place = next[...]
                continue
            }
            links += 1
            // As many as Linux itself follows (path_resolution(7)).
            guard links <= 40 else { return "\(url.path) is a link that leads nowhere" }
            if target.hasPrefix("/") { place = "/" }
            rest += target.split(separator: "/").reversed()
        }
        return nil
    }

    /// Whether an open file may be taken for one's own.
    static func accepts(_ status: stat) -> Bool {
        owners.contains(status.st_uid) && othersMay(status) == nil
    }

    private static func objection(at path: String, of url: URL) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let subject = path == url.path ? "\(path) " : "\(url.path) is not used: \(path) "
        guard owners.contains(status.st_uid) else {
            return subject
                + "belongs to user \(status.st_uid), who could put any code there; have its owner be you or root "
                + "(chown), or use a folder of your own (KINEMA_HOME)"
        }
        guard status.st_mode & S_IFMT != S_IFLNK, let who = othersMay(status) else { return nil }
        return subject
            + "may be written to by \(who.name), who could put any code there; run chmod \(who.change) \(path)"
    }

    /// Who beside the owner may write; nil when nobody may.
    private static func othersMay(_ status: stat) -> (name: String, change: String)? {
        let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        if isSticky { return nil }
        if status.st_mode & S_IWOTH != 0 { return ("everybody", "go-w") }
        let isPrivate = status.st_gid == 0 || status.st_gid == status.st_uid
        return status.st_mode & S_IWGRP != 0 && !isPrivate ? ("group \(status.st_gid)", "g-w") : nil
    }

    /// Root, the user, and who owns the program, for that one could have changed what runs already.
    private static let owners: Set<uid_t> = {
        var status = stat()
        return stat("/proc/self/exe", &status) == 0 ? [0, geteuid(), status.st_uid] : [0, geteuid()]
    }()

    /// Makes a folder and those above it where they are absent, for this user alone; whether it may be used.
    static func prepare(_ folder: URL) -> Bool {
        var (missing, place) = ([URL](), folder.absoluteURL)
        while place.path != "/", !FileManager.default.fileExists(atPath: place.path) {
            missing.append(place)
            place = place.deletingLastPathComponent()
        }
        for folder in missing.reversed() where mkdir(folder.path, 0o700) != 0 && errno != EEXIST { return false }
        return objection(to: folder) == nil
    }

    /// Writes a new file that only this user may read; one that is there already is left alone. Throws `POSIXError`.
    static func create(_ url: URL, _ bytes: [UInt8]) throws {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: bytes)
            try file.close()
        } catch {
            unlink(url.path)
            throw error
        }
    }
}
