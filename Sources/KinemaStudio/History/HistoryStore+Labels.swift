import Foundation
import GRDB
import Kinema

extension HistoryStore {
    /// A file without a name beside the history, for one answer; it is deleted when it is closed.
    func makeUnnamedFile() throws(KinemaError) -> FileHandle {
        let folder = file.deletingLastPathComponent()
        let named = try PartialFile(in: folder)
        // A second descriptor: at the end of this scope the first is closed and the name deleted.
        let descriptor = fcntl(named.handle.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw KinemaError.unwritable(folder.path, errno: errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// All corrections and marks as a zip archive with the poses, and its size; throws `.invalidArgument` for none.
    func labels() async throws -> (file: FileHandle, size: Int) {
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
        var zip = ZipFileWriter(target)
        for (name, content) in export.tables { try zip.add(content, name: name) }
        for (id, name) in export.files {
            try Task.checkCancellation()
            guard let packed = try await packedPoses(id) else { continue }
            try zip.add(try unpacked(packed), name: name)
        }
        return (target, try zip.finish())
    }

    /// A session with its corrections and marks but without events and poses.
    func outline(_ id: UUID) async throws(KinemaError) -> StoredSession? {
        guard let full = try await summary(id) else { return nil }
        var session = StoredSession(
            id: full.id, date: full.date, mode: full.mode, source: full.source, duration: full.duration)
        (session.corrections, session.marks, session.hasPoses) = (full.corrections, full.marks, full.hasPoses)
        return session
    }

    /// A session without its poses, which may take many times their packed size.
    func summary(_ id: UUID) async throws(KinemaError) -> StoredSession? {
        try await perform { db in try SessionRows.session(id, from: db) }
    }

    func packedPoses(_ id: UUID) async throws(KinemaError) -> Data? {
        try await perform { db in
            try Data.fetchOne(db, sql: "SELECT jsonl_gzip FROM poses WHERE session = ?", arguments: [id.uuidString])
        }
    }

    func unpacked(_ packed: Data) throws(KinemaError) -> Data {
        Data(try Gzip.unpack(Array(packed), limit: Self.posesLimit, file: file.path))
    }
}
