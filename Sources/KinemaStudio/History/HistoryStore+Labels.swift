package import Foundation
import GRDB
import Kinema
import KinemaCore

/// A file that is made for one answer: it has no name any more, so it is gone once nobody has it open.
package struct UnnamedFile: Sendable {
    package let handle: FileHandle

    /// Makes an empty one on the disk of a folder.
    init(in folder: URL) throws(KinemaError) {
        let file = try PartialFile(in: folder)
        // A second descriptor: the first is closed, and the name taken away, at the end of this scope.
        let descriptor = fcntl(file.handle.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw KinemaError.unwritable(folder.path, errno: errno) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

extension HistoryStore {
    /// A file for one answer, beside the history.
    func makeUnnamedFile() throws(KinemaError) -> UnnamedFile {
        try UnnamedFile(in: file.deletingLastPathComponent())
    }

    /// Everything that was corrected or marked in sessions with poses, with the poses, as one zip archive; its size too.
    ///
    /// Throws `.invalidArgument` when there is nothing.
    package func labels() async throws -> (file: UnnamedFile, size: Int) {
        let ids = try await perform { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM session WHERE id IN (SELECT session FROM annotation WHERE kind IN ('corrections', \
                    'marks')) AND id IN (SELECT session FROM poses) ORDER BY date, id
                    """
            ).compactMap(UUID.init(uuidString:))
        }
        var labelled: [StoredSession] = []
        for id in ids {
            try Task.checkCancellation()
            guard let session = try await outline(id), LabelExport.isLabelled(session) else { continue }
            labelled.append(session)
        }
        guard !labelled.isEmpty else { throw LabelExport.nothing(nil) }
        let target = try makeUnnamedFile()
        let export = LabelExport(labelled)
        var zip = ZipFileWriter(target.handle)
        for (name, content) in export.tables { try zip.add(content, name: name) }
        for (id, name) in export.files {
            try Task.checkCancellation()
            guard let packed = try await packedPoses(id) else { continue }
            try zip.add(try unpacked(packed), name: name)
        }
        return (target, try zip.finish())
    }

    /// A session without what was found in it and without poses; nil when there is none of that id.
    func outline(_ id: UUID) async throws(KinemaError) -> StoredSession? {
        guard let full = try await perform({ try SessionRows.fetch(SessionRows.Choice(id: id), from: $0).first })
        else { return nil }
        var session = StoredSession(
            id: full.id, date: full.date, mode: full.mode, source: full.source, duration: full.duration)
        (session.corrections, session.marks, session.hasPoses) = (full.corrections, full.marks, full.hasPoses)
        return session
    }

    /// The poses as they are stored, packed by gzip; nil where none are.
    func packedPoses(_ id: UUID) async throws(KinemaError) -> Data? {
        try await perform { db in
            try Data.fetchOne(db, sql: "SELECT jsonl_gzip FROM poses WHERE session = ?", arguments: [id.uuidString])
        }
    }

    /// Stored poses as lines.
    func unpacked(_ packed: Data) throws(KinemaError) -> Data {
        Data(try Gzip.unpack(Array(packed), limit: Self.posesLimit, file: file.path))
    }
}
