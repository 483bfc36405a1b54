public import Foundation

/// The folder that holds what `script/bootstrap` fetched: the inference library and the models.
public enum KinemaHome {
    /// The folders that are looked into, best first.
    ///
    /// `KINEMA_HOME` alone when it is set; otherwise `.kinema` in the current directory, beside the executable and in
    /// every folder above either, then `$XDG_DATA_HOME/kinema` (by default `~/.local/share/kinema`).
    public static var candidates: [URL] {
        let environment = ProcessInfo.processInfo.environment
        if let home = environment["KINEMA_HOME"], !home.isEmpty {
            return [URL(filePath: home, directoryHint: .isDirectory)]
        }
        var folders: [URL] = []
        let starts = [
            URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory),
            URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath().deletingLastPathComponent(),
            executableFolder,
        ]
        for start in starts {
            for folder in sequence(first: start.standardizedFileURL, next: above) {
                folders.append(folder.appending(path: ".kinema", directoryHint: .isDirectory))
            }
        }
        let data =
            environment["XDG_DATA_HOME"].map { URL(filePath: $0) } ?? URL.homeDirectory.appending(path: ".local/share")
        return folders + [data.appending(path: "kinema", directoryHint: .isDirectory)]
    }

    /// The first file of that relative path in any of the folders, nil when none has it.
    public static func find(_ path: String) -> URL? {
        candidates.lazy.map { $0.appending(path: path) }.first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Where derived files may be kept: `$KINEMA_HOME/cache`, else `$XDG_CACHE_HOME/kinema` (`~/.cache/kinema`).
    public static var cache: URL {
        let environment = ProcessInfo.processInfo.environment
        if let home = environment["KINEMA_HOME"], !home.isEmpty {
            return URL(filePath: home).appending(path: "cache", directoryHint: .isDirectory)
        }
        let cache =
            environment["XDG_CACHE_HOME"].map { URL(filePath: $0) } ?? URL.homeDirectory.appending(path: ".cache")
        return cache.appending(path: "kinema", directoryHint: .isDirectory)
    }

    private static var executableFolder: URL {
        URL(filePath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/")
            .deletingLastPathComponent()
    }

    private static func above(_ folder: URL) -> URL? {
        folder.path == "/" ? nil : folder.deletingLastPathComponent().standardizedFileURL
    }
}
