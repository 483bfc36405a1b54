import Foundation

/// Where the page's files lie: in the bundle that is built beside the command.
enum PageFolder {
    /// The bundle's name, as the package manager makes it from the package's and the target's.
    static let bundleName = "Kinema_KinemaStudio.resources"

    /// The folder, or nil where the bundle was left behind; the package manager's own way to ask ends the process then.
    static func find() -> URL? {
        // Links are followed, so that a link to the command from a folder in the PATH finds its bundle.
        let command = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let places = [command, command.appending(path: "../share/kinema"), Bundle.main.bundleURL]
        return places.lazy.map { $0.appending(path: bundleName).appending(path: "Page").standardizedFileURL }
            .first { FileManager.default.fileExists(atPath: $0.appending(path: "index.html").path) }
    }
}
