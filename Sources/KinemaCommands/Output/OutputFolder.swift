import Foundation
import KinemaCore

/// Folders that results go into.
enum OutputFolder {
    /// Makes the folder with those above it; says in one line when it cannot be made.
    static func make(_ path: String) throws -> URL {
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw KinemaError(
                .unwritableOutput, "this folder cannot be made; name another with --output", file: path)
        }
        return folder
    }
}
