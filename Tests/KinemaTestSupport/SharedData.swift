package import Foundation

/// The folder of real recordings beside the project; tests that need it are skipped, by name, where it is absent.
package enum SharedData {
    /// `$KINEMA_SHARED`, else `shared` beside the package.
    package static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["KINEMA_SHARED"] { return URL(filePath: path) }
        return package.deletingLastPathComponent().appending(path: "shared")
    }()

    /// The package's own folder.
    package static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Whether the recordings are there.
    package static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.appending(path: "data").path) }

    /// A file among the recordings.
    package static func file(_ path: String) -> URL {
        folder.appending(path: "data").appending(path: path)
    }
}
