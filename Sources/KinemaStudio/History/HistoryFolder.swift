import Foundation
import KinemaCore

/// A folder beside `history.sqlite` that only its owner may enter, made with its first file.
package struct HistoryFolder: Sendable {
    enum Kind: String {
        case videos, classifiers, exercises
    }

    let url: URL

    init(_ kind: Kind, beside file: URL) {
        let stem = file.pathExtension == "sqlite" ? file.deletingPathExtension() : file
        url = stem.appendingPathExtension(kind.rawValue)
    }

    static func name(_ id: UUID, _ kind: SessionVideo.Kind) -> String { "\(id.uuidString).\(kind.fileEnding)" }

    func file(_ name: String) -> URL { url.appending(path: name) }

    func remove(_ name: String) { try? FileManager.default.removeItem(at: file(name)) }

    func prepare() throws(KinemaError) {
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw KinemaError.unwritable(url.path, error)
        }
    }

    func begin() throws(KinemaError) -> PartialFile {
        try prepare()
        return try PartialFile(in: url)
    }

    /// Removes every file that is neither wanted nor being written.
    func removeStrays(_ isWanted: (String) -> Bool) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] where !isWanted(name) {
            if name.hasPrefix(PartialFile.prefix) {
                PartialFile.removeLeftover(file(name))
            } else {
                remove(name)
            }
        }
    }
}
