package import Foundation
import GRDB
package import KinemaCore

/// The videos of sessions: files beside the history, of which the history knows kind and size.
extension HistoryStore {
    /// Where the video of a session lies; nil when none is kept.
    package func video(_ id: UUID) async throws(KinemaError) -> URL? {
        let session = try await perform { try SessionRows.session(id, from: $0) }
        return session?.video.map { videos.file(HistoryFolder.name(id, $0.type)) }
    }

    /// Whether there is such a session; throws `.unwritableOutput` when its video would not fit into the history.
    func checkRoom(for id: UUID, _ bytes: Int) async throws(KinemaError) -> Bool {
        try await perform { db in
            guard let session = try SessionRows.session(id, from: db) else { return false }
            if let limit, try HistoryFile.size(db) - (session.video?.bytes ?? 0) + bytes > limit {
                throw HistoryFile.full(limit, file)
            }
            return true
        }
    }

    /// Keeps a file as the video of a session, in place of the one it had; nil when there is no such session.
    ///
    /// Is done whole or not at all; throws `.unwritableOutput` when the history would take more than its limit.
    func keepVideo(
        _ id: UUID, _ source: PartialFile, _ video: SessionVideo
    ) async throws(KinemaError) -> StoredSession? {
        try source.synchronise()
        return try await perform { db in
            guard try SessionRows.session(id, from: db) != nil else { return nil }
            try SessionRows.write(.video, video, of: id, into: db)
            try checkSize(db)
            let session = try SessionRows.session(id, from: db)
            // Last: what follows cannot fail, but for the disk, and then the next start takes the file away.
            try source.move(to: videos.file(HistoryFolder.name(id, video.type)))
            for other in SessionVideo.Kind.allCases where other != video.type {
                videos.remove(HistoryFolder.name(id, other))
            }
            return session
        }
    }

    /// Copies a video to a session; returns what is kept, nil when there is no such session.
    ///
    /// Throws `.unsupported` for a video that browsers do not play, `.unreadableInput` where it cannot be read.
    package func keepVideo(_ id: UUID, copying url: URL) async throws(KinemaError) -> SessionVideo? {
        guard let source = try? FileHandle(forReadingFrom: url),
            let start = try? source.read(upToCount: VideoSignature.length)
        else { throw KinemaError(.unreadableInput, "the video cannot be read any more", file: url.path) }
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
        return try await keepVideo(id, target, SessionVideo(type: kind, bytes: bytes))?.video
    }

    /// Takes the video of a session away; false when none was kept.
    func deleteVideo(_ id: UUID) async throws(KinemaError) -> Bool {
        let isDeleted = try await perform { db in
            try db.execute(
                sql: "DELETE FROM annotation WHERE session = ? AND kind = 'video'", arguments: [id.uuidString])
            return db.changesCount > 0
        }
        for kind in SessionVideo.Kind.allCases { videos.remove(HistoryFolder.name(id, kind)) }
        return isDeleted
    }

    /// Takes away files that belong to no session, and forgets videos whose files are gone.
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
                let name = HistoryFolder.name(id, kind)
                if FileManager.default.fileExists(atPath: videos.file(name).path) {
                    names.insert(name)
                } else {
                    try db.execute(
                        sql: "DELETE FROM annotation WHERE session = ? AND kind = 'video'", arguments: [id.uuidString])
                }
            }
            // No other program names a file meanwhile: it would need the lock of this transaction.
            videos.removeStrays { names.contains($0) }
            // A studio that was killed while it took one in left a file of which no row knows.
            let kept = Set(try Self.classifierEntries(db).map { ClassifierName.file($0.id) })
            classifiers.removeStrays { kept.contains($0) }
        }
    }

    /// Bytes that are copied at once.
    private static var portion: Int { 1 << 20 }
}
