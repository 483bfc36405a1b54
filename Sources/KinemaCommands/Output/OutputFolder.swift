import Foundation
import KinemaCore

enum OutputFolder {
    /// Creates the folder and its parents, or throws `unwritableOutput`.
    static func make(_ path: String) throws -> URL {
        try OutputPlace.checkName(path)
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw KinemaError(
                .unwritableOutput, "this folder cannot be created; choose another with --output", file: path)
        }
        return folder
    }
}
