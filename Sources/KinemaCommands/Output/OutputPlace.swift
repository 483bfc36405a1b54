import Foundation
import Kinema

/// A file to be written at the end of long work: told at its beginning when that cannot be.
enum OutputPlace {
    /// Throws `unwritableOutput` when no file can be made there.
    static func check(_ output: String) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: output, isDirectory: &isFolder), isFolder.boolValue {
            throw KinemaError(.unwritableOutput, "is a folder; give a file name", file: output)
        }
        let folder = URL(filePath: output).deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw KinemaError(.unwritableOutput, "the folder of the output does not exist; make it first", file: output)
        }
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw KinemaError(
                .unwritableOutput, "may not be written; check the permissions of its folder", file: output)
        }
    }
}
