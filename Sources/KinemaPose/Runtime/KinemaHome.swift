package import Foundation
import KinemaCore

/// The folder with the inference library and the models, from `script/bootstrap` or the installed package.
package enum KinemaHome {
    /// The folders to search, in order. If `KINEMA_HOME` is set, only that folder. Otherwise `.kinema` beside the
    /// executable and in the folders above it, `../share/kinema`, and `$XDG_DATA_HOME/kinema` (by default
    /// `~/.local/share/kinema`). The current directory is not searched, so that downloaded code never runs.
    package static var candidates: [URL] {
        if let home = named("KINEMA_HOME") { return [home] }
        let above = sequence(first: executableFolder) {
            $0.path == "/" ? nil : $0.deletingLastPathComponent().standardizedFileURL
        }
        let folders = above.map { $0.appending(path: ".kinema", directoryHint: .isDirectory) }
        return folders + [
            packaged,
            xdg("XDG_DATA_HOME", or: ".local/share").appending(path: "kinema", directoryHint: .isDirectory),
        ]
    }

    /// The folder of a package's library and models; nothing else is put there, since another user may own it.
    package static var packaged: URL {
        executableFolder.appending(path: "../share/kinema", directoryHint: .isDirectory).standardizedFileURL
    }

    /// The remedy for a missing or damaged part.
    package static var remedy: String {
        FileManager.default.fileExists(atPath: packaged.path) ? "install the package again" : "run script/bootstrap"
    }

    /// The first file with a relative path in any of the folders; folders that other users can write to are skipped.
    package static func find(_ path: String) -> URL? {
        homes.lazy.filter { $0.problem == nil }.map { $0.folder.appending(path: path) }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
    }

    /// The folders that exist, each with the reason not to trust it, if any.
    package static var homes: [(folder: URL, problem: String?)] {
        candidates.filter { FileManager.default.fileExists(atPath: $0.path) }.map {
            ($0, TrustedPath.problem(with: $0))
        }
    }

    /// The error for a missing component; it reports an untrusted folder if there is one.
    static func missing(_ component: String) -> KinemaError {
        if let problem = homes.lazy.compactMap(\.problem).first { return KinemaError(.missingComponent, problem) }
        return KinemaError(.missingComponent, "\(component) is not installed; \(remedy)")
    }

    /// The folder for cached files: `$KINEMA_HOME/cache`, else `$XDG_CACHE_HOME/kinema` (`~/.cache/kinema`).
    package static var cache: URL {
        named("KINEMA_HOME")?.appending(path: "cache", directoryHint: .isDirectory)
            ?? xdg("XDG_CACHE_HOME", or: ".cache").appending(path: "kinema", directoryHint: .isDirectory)
    }

    /// The path in an environment variable, relative to the current directory; nil if the variable is unset or empty.
    static func named(_ variable: String) -> URL? {
        guard let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty else { return nil }
        return URL(filePath: path).absoluteURL.standardizedFileURL
    }

    /// A folder of the XDG Base Directory Specification, which ignores relative paths.
    private static func xdg(_ variable: String, or defaultPath: String) -> URL {
        let path = ProcessInfo.processInfo.environment[variable] ?? ""
        return path.hasPrefix("/") ? URL(filePath: path) : URL.homeDirectory.appending(path: defaultPath)
    }

    private static var executableFolder: URL {
        URL(filePath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/")
            .deletingLastPathComponent().standardizedFileURL
    }
}

/// Checks that only trusted users (root, the current user, the program's owner) can have put a file in its place. It
/// covers every folder and link on the path. Other users must not have write access, except in sticky folders such as
/// /tmp. Group write access is allowed for root's group and for the owner's private group (same number).
enum TrustedPath {
    /// The reason not to trust a path, with a remedy; nil for a trusted or absent path.
    static func problem(with url: URL) -> String? {
        var rest = Array(url.absoluteURL.path.split(separator: "/").reversed())
        var (resolved, linkCount) = (Substring("/"), 0)
        if let problem = problem(at: "/", of: url) { return problem }
        while let name = rest.popLast() {
            if name == "." || name == ".." {
                if name == ".." { resolved = resolved.prefix(upTo: resolved.lastIndex(of: "/") ?? resolved.startIndex) }
                if resolved.isEmpty { resolved = "/" }
                continue
            }
            let next = resolved == "/" ? "/\(name)" : "\(resolved)/\(name)"
            if let problem = problem(at: next, of: url) { return problem }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else {
                resolved = next[...]
                continue
            }
            linkCount += 1
            // Linux's own limit (path_resolution(7)).
            guard linkCount <= 40 else { return "\(url.path) is a link that leads nowhere; remove it" }
            if target.hasPrefix("/") { resolved = "/" }
            rest += target.split(separator: "/").reversed()
        }
        return nil
    }

    /// Whether an open file is owned by a trusted user and not writable by others.
    static func accepts(_ status: stat) -> Bool { owners.contains(status.st_uid) && otherWriters(status) == nil }

    private static func problem(at path: String, of url: URL) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let subject = path == url.path ? "\(path) " : "\(url.path) is not used: \(path) "
        guard owners.contains(status.st_uid) else {
            return subject
                + "belongs to user \(status.st_uid), who could put any code there; chown it to yourself or root, "
                + "or set KINEMA_HOME to a folder of your own"
        }
        guard status.st_mode & S_IFMT != S_IFLNK, let writers = otherWriters(status) else { return nil }
        return subject
            + "may be written to by \(writers.name), who could put any code there; run chmod \(writers.change) \(path)"
    }

    /// The users other than the owner with write access, and the chmod mode that removes it; nil if there are none.
    private static func otherWriters(_ status: stat) -> (name: String, change: String)? {
        let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        if isSticky { return nil }
        if status.st_mode & S_IWOTH != 0 { return ("everybody", "go-w") }
        let isPrivate = status.st_gid == 0 || status.st_gid == status.st_uid
        return status.st_mode & S_IWGRP != 0 && !isPrivate ? ("group \(status.st_gid)", "g-w") : nil
    }

    /// Root, the current user, and the program's owner, who could change the running code anyway.
    private static let owners: Set<uid_t> = {
        var status = stat()
        return stat("/proc/self/exe", &status) == 0 ? [0, geteuid(), status.st_uid] : [0, geteuid()]
    }()

    /// Creates a folder and its missing parents for this user only; returns whether the folder is trusted.
    static func prepare(_ folder: URL) -> Bool {
        var (missing, parent) = ([URL](), folder.absoluteURL)
        while parent.path != "/", !FileManager.default.fileExists(atPath: parent.path) {
            missing.append(parent)
            parent = parent.deletingLastPathComponent()
        }
        for folder in missing.reversed() where mkdir(folder.path, 0o700) != 0 && errno != EEXIST { return false }
        return problem(with: folder) == nil
    }

    /// Writes a new file that only this user can read; throws `POSIXError`, also if the file already exists.
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
