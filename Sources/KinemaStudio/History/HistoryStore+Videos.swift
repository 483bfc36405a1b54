package import Foundation
import GRDB
package import KinemaCore

/// The videos of sessions: files beside the history, which stores their kind and size.
extension HistoryStore {
    package func video(_ id: UUID) async throws(KinemaError) -> URL? {
        let session = try await perform { try SessionRows.session(id, from: $0) }
        return session.flatMap(videoFile)
    }

    func videoFile(_ session: StoredSession) -> URL? {
        session.video.map { videos.file(HistoryFolder.name(session.id, $0.type, of: session.details?.person)) }
    }

    static func person(of id: UUID, _ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT person FROM detail WHERE session = ?", arguments: [id.uuidString])
    }

    /// Links a video into another person's folder; returns the name to remove.
    func linkVideo(of before: StoredSession, for after: StoredSession) throws(KinemaError) -> URL? {
        guard let old = videoFile(before), let new = videoFile(after), old != new,
            FileManager.default.fileExists(atPath: old.path)
        else { return nil }
        try videos.prepare(for: after.details?.person)
        unlink(new.path)
        guard link(old.path, new.path) == 0 else { throw KinemaError.unwritable(new.path, errno: errno) }
        return old
    }

    /// Whether the session exists; throws `.unwritableOutput` if its video would not fit into the history.
    func checkRoom(for id: UUID, _ bytes: Int) async throws(KinemaError) -> Bool {
        try await perform { db in
            guard let session = try SessionRows.session(id, from: db) else { return false }
            if let limit, try HistoryFile.size(db) - (session.video?.bytes ?? 0) + bytes > limit {
                throw HistoryFile.full(limit, file)
            }
            return true
        }
    }

    /// Replaces a session's video atomically; nil for an unknown id. Throws `.unwritableOutput` beyond the limit.
    func keepVideo(
        _ id: UUID, _ source: PartialFile, _ video: SessionVideo
    ) async throws(KinemaError) -> StoredSession? {
        try source.synchronise()
        return try await perform { db in
            guard try SessionRows.session(id, from: db) != nil else { return nil }
            try SessionRows.write(.video, video, of: id, into: db)
            try checkSize(db)
            let session = try SessionRows.session(id, from: db)
            let person = session?.details?.person
            try videos.prepare(for: person)
            // Last, since only the disk can fail after it; the next start then removes the file.
            try source.move(to: videos.file(HistoryFolder.name(id, video.type, of: person)))
            for other in SessionVideo.Kind.allCases where other != video.type {
                videos.remove(HistoryFolder.name(id, other, of: person))
            }
            return session
        }
    }

    /// Copies a video to a session; nil for an unknown id. Throws `.unsupported` or `.unreadableInput`.
    package func keepVideo(
        _ id: UUID, copying url: URL, isCovered: Bool = false
    ) async throws(KinemaError) -> SessionVideo? {
        guard let source = try? FileHandle(forReadingFrom: url),
            let start = try? source.read(upToCount: VideoSignature.length)
        else { throw KinemaError(.unreadableInput, "the video can no longer be read", file: url.path) }
        defer { try? source.close() }
        guard let kind = VideoSignature.browserKind(of: Array(start)) else {
            throw KinemaError(.unsupported, "only MP4 and WebM videos are kept with a session", file: url.path)
        }
        let target = try videos.begin()
        var bytes = 0
        do {
            var piece: Data? = start
            while let data = piece, !data.isEmpty {
                try target.handle.write(contentsOf: data)
                bytes += data.count
                piece = try source.read(upToCount: Self.portion)
            }
        } catch {
            throw KinemaError.unwritable(videos.url.path, error)
        }
        return try await keepVideo(
            id, target, SessionVideo(type: kind, bytes: bytes, isCovered: isCovered ? true : nil))?
            .video
    }

    func deleteVideo(_ id: UUID) async throws(KinemaError) -> Bool {
        let (isDeleted, person) = try await perform { db in
            try db.execute(
                sql: "DELETE FROM annotation WHERE session = ? AND kind = 'video'", arguments: [id.uuidString])
            return (db.changesCount > 0, try Self.person(of: id, db))
        }
        for kind in SessionVideo.Kind.allCases { videos.remove(HistoryFolder.name(id, kind, of: person)) }
        return isDeleted
    }

    /// Removes files without a session, and videos without a file.
    package func removeStrays() async throws(KinemaError) {
        try await perform { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT session, json_extract(json, '$.type') AS type FROM annotation WHERE kind = 'video'")
            var names = Set<String>()
            for row in rows {
                let session: String? = row["session"]
                let type: String? = row["type"]
                guard let id = session.flatMap(UUID.init(uuidString:)),
                    let kind = type.flatMap(SessionVideo.Kind.init(rawValue:))
                else { continue }
                let name = HistoryFolder.name(id, kind, of: try Self.person(of: id, db))
                if FileManager.default.fileExists(atPath: videos.file(name).path) {
                    names.insert(name)
                } else {
                    try db.execute(
                        sql: "DELETE FROM annotation WHERE session = ? AND kind = 'video'", arguments: [id.uuidString])
                }
            }
            // No other program can name a file without the lock of this transaction.
            videos.removeStrays { names.contains($0) }
            // A killed studio may have left a file without a row.
            let kept = Set(try Self.classifierEntries(db).map { ClassifierName.file($0.id) })
            classifiers.removeStrays { kept.contains($0) }
            exercises.removeStrays()
        }
    }

    private static var portion: Int { 1 << 20 }
}
