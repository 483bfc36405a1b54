package import Foundation

/// A folder of a test's own, removed with everything in it when the test lets go of it.
package final class TemporaryFolder: Sendable {
    /// Where it lies.
    package let url: URL

    /// Makes the folder.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "kinema-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A file in it.
    package func file(_ name: String) -> URL {
        url.appending(path: name)
    }
}
