import Foundation
import KinemaCore

/// A file to write at the end of long work; a place that cannot be written fails at the beginning.
enum OutputPlace {
    /// Throws `unwritableOutput` if no file can be created there.
    static func check(_ output: String) throws {
        try checkName(output)
        guard !FileManager.default.isFolder(output) else {
            throw KinemaError(.unwritableOutput, "is a folder; give a file name", file: output)
        }
        let kind = (try? FileManager.default.attributesOfItem(atPath: output))?[.type] as? FileAttributeType
        // Devices and pipes are writable regardless of their folder.
        if kind == .typeCharacterSpecial || kind == .typeUnknown { return }
        let folder = URL(filePath: output).deletingLastPathComponent()
        guard FileManager.default.isFolder(folder.path) else {
            throw KinemaError(.unwritableOutput, "the output folder does not exist; create it first", file: output)
        }
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw KinemaError(
                .unwritableOutput, "cannot be written; check the permissions of its folder", file: output)
        }
    }

    /// Throws `invalidArgument` for an empty name, which Foundation takes for the current folder.
    static func checkName(_ output: String) throws {
        if output.isEmpty {
            throw KinemaError(.invalidArgument, "the name of an output is empty; give a file or a folder")
        }
    }
}

extension FileManager {
    /// Whether there is a folder at the path.
    func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
