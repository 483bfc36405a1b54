import Foundation
import KinemaCore

/// A folder beside the file of the history that only its owner may enter: `history.sqlite` has `history.videos` and
/// `history.classifiers`. It is made when the first file comes into it.
package struct HistoryFolder: Sendable {
    /// What lies in it.
    enum Kind: String {
        case videos, classifiers
    }

    /// Where it lies.
    let url: URL

    init(_ kind: Kind, beside file: URL) {
        let stem = file.pathExtension == "sqlite" ? file.deletingPathExtension() : file
        url = stem.appendingPathExtension(kind.rawValue)
    }

    /// The name of a session's video.
    static func name(_ id: UUID, _ kind: SessionVideo.Kind) -> String { "\(id.uuidString).\(kind.fileEnding)" }

    /// A file in it.
    func file(_ name: String) -> URL { url.appending(path: name) }

    /// Takes a file away, if it is there.
    func remove(_ name: String) { try? FileManager.default.removeItem(at: file(name)) }

    /// Makes the folder where it is not there yet.
    func prepare() throws(KinemaError) {
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw KinemaError.unwritable(url.path, error)
        }
    }

    /// Begins a file, which is given its name once it is whole.
    func begin() throws(KinemaError) -> PartialFile {
        try prepare()
        return try PartialFile(in: url)
    }

    /// Takes away every file of which `isWanted` is false, but what somebody is writing.
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
