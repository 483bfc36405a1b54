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

    /// The name of a video, in its person's folder if known.
    static func name(_ id: UUID, _ kind: SessionVideo.Kind, of person: String? = nil) -> String {
        "\(person.map { folder(of: $0) + "/" } ?? "")\(id.uuidString).\(kind.fileEnding)"
    }

    /// Letters and digits of a person's name, and its hash to distinguish similar ones (FNV-1a, 32 bits).
    static func folder(of person: String) -> String {
        let shown = person.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let hash = person.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return "\(String(shown))-\(String(hash, radix: 16))"
    }

    func file(_ name: String) -> URL { url.appending(path: name) }

    func remove(_ name: String) { try? FileManager.default.removeItem(at: file(name)) }

    func prepare(for person: String? = nil) throws(KinemaError) {
        do {
            try FileManager.default.createDirectory(
                at: person.map { url.appending(path: Self.folder(of: $0)) } ?? url, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw KinemaError.unwritable(url.path, error)
        }
    }

    func begin() throws(KinemaError) -> PartialFile {
        try prepare()
        return try PartialFile(in: url)
    }

    /// Removes every file that is neither wanted nor being written, and empty folders.
    func removeStrays(_ isWanted: (String) -> Bool) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        for name in names where !isWanted(name) {
            if let within = try? FileManager.default.contentsOfDirectory(atPath: file(name).path) {
                for other in within where !isWanted("\(name)/\(other)") { remove("\(name)/\(other)") }
                rmdir(file(name).path)
            } else if name.hasPrefix(PartialFile.prefix) {
                PartialFile.removeLeftover(file(name))
            } else {
                remove(name)
            }
        }
    }
}
