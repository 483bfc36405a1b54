public import Foundation
import KinemaCore

/// The folder that holds what `script/bootstrap` fetched: the inference library and the models.
public enum KinemaHome {
    /// The folders that are looked into, best first.
    ///
    /// `KINEMA_HOME` alone when it is set; otherwise `.kinema` beside the executable and in every folder above it, then
    /// `$XDG_DATA_HOME/kinema` (by default `~/.local/share/kinema`). The current directory is none of them: code that lies
    /// in a folder somebody sent must not run because one is in it.
    public static var candidates: [URL] {
        if let home = named("KINEMA_HOME") { return [home] }
        let folders = sequence(first: executableFolder, next: above).map {
            $0.appending(path: ".kinema", directoryHint: .isDirectory)
        }
        return folders + [
            xdg("XDG_DATA_HOME", or: ".local/share").appending(path: "kinema", directoryHint: .isDirectory)
        ]
    }

    /// The first file of that relative path in any of the folders, nil when none has it; folders that others may write to
    /// are passed over.
    public static func find(_ path: String) -> URL? {
        homes.lazy.filter { $0.objection == nil }.map { $0.folder.appending(path: path) }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
    }

    /// The folders that are there, each with what speaks against using it.
    package static var homes: [(folder: URL, objection: String?)] {
        candidates.filter { FileManager.default.fileExists(atPath: $0.path) }.map {
            ($0, TrustedPlace.objection(to: $0))
        }
    }

    /// What is missing, with what speaks against the folders that might have it.
    static func missing(_ what: String) -> KinemaError {
        if let objection = homes.lazy.compactMap(\.objection).first { return KinemaError(.missingComponent, objection) }
        return KinemaError(.missingComponent, "\(what) is not installed; run script/bootstrap")
    }

    /// Where derived files may be kept: `$KINEMA_HOME/cache`, else `$XDG_CACHE_HOME/kinema` (`~/.cache/kinema`).
    public static var cache: URL {
        named("KINEMA_HOME")?.appending(path: "cache", directoryHint: .isDirectory)
            ?? xdg("XDG_CACHE_HOME", or: ".cache").appending(path: "kinema", directoryHint: .isDirectory)
    }

    /// A folder or file that a variable names, from the current directory where it is relative; nil without one.
    static func named(_ variable: String) -> URL? {
        guard let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty else { return nil }
        return URL(filePath: path).absoluteURL.standardizedFileURL
    }

    /// One of the user's standard folders; the XDG Base Directory Specification has relative ones ignored.
    private static func xdg(_ variable: String, or usual: String) -> URL {
        let path = ProcessInfo.processInfo.environment[variable] ?? ""
        return path.hasPrefix("/") ? URL(filePath: path) : URL.homeDirectory.appending(path: usual)
    }

    private static var executableFolder: URL {
        URL(filePath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/")
            .deletingLastPathComponent().standardizedFileURL
    }

    private static func above(_ folder: URL) -> URL? {
        folder.path == "/" ? nil : folder.deletingLastPathComponent().standardizedFileURL
    }
}
