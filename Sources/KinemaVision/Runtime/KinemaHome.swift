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
