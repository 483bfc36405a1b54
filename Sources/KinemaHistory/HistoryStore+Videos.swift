package import Foundation
import GRDB
package import KinemaCore
import KinemaMedia

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
    package func checkRoom(for id: UUID, _ bytes: Int) async throws(KinemaError) -> Bool {
        try await perform { db in
            guard let session = try SessionRows.session(id, from: db) else { return false }
            if let limit, try HistoryFile.size(db) - (session.video?.bytes ?? 0) + bytes > limit {
                throw HistoryFile.full(limit, file)
            }
            return true
        }
    }

    /// Replaces a session's video atomically; nil for an unknown id. Throws `.unwritableOutput` beyond the limit.
    package func keepVideo(
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

    package func deleteVideo(_ id: UUID) async throws(KinemaError) -> Bool {
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

/// Decides by its first bytes whether a file is a video that contains its own pictures.
///
/// The decoder also reads lists of other files and addresses (HLS, DASH, concat, SDP), which an upload must not open.
/// So the signature and the decoder must agree.
package enum VideoSignature {
    /// The first bytes that identify a video without the decoder: two packets of an MPEG transport stream.
    package static let shortest = 189
    /// The first bytes for the decoder, which needs far fewer.
    package static let length = 1 << 16

    private struct Kind {
        var offset = 0
        var bytes: [UInt8]
        var containers: Set<String>
    }

    private static let known: [Kind] =
        ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].map {
            Kind(offset: 4, bytes: Array($0.utf8), containers: ["mov", "mp4"])
        } + [
            Kind(bytes: [0x1A, 0x45, 0xDF, 0xA3], containers: ["matroska", "webm"]),
            Kind(offset: 8, bytes: Array("AVI ".utf8), containers: ["avi"]),
            Kind(bytes: Array("OggS".utf8), containers: ["ogg"]),
            Kind(bytes: Array("FLV".utf8), containers: ["flv", "live_flv"]),
            Kind(bytes: Array("GIF87a".utf8), containers: ["gif"]),
            Kind(bytes: Array("GIF89a".utf8), containers: ["gif"]),
            Kind(bytes: Array("YUV4MPEG2".utf8), containers: ["yuv4mpegpipe"]),
            Kind(bytes: [0x30, 0x26, 0xB2, 0x75], containers: ["asf"]),
            // MPEG program and video streams, H.264 and H.265 without a container.
            Kind(bytes: [0x00, 0x00, 0x01, 0xBA], containers: ["mpeg"]),
            Kind(bytes: [0x00, 0x00, 0x01, 0xB3], containers: ["mpegvideo"]),
            Kind(bytes: [0x00, 0x00, 0x00, 0x01], containers: ["h264", "hevc", "mpegvideo"]),
            Kind(bytes: [0x00, 0x00, 0x01, 0x67], containers: ["h264"]),
            // Motion JPEG; with few pictures the decoder identifies a single one.
            Kind(bytes: [0xFF, 0xD8, 0xFF], containers: ["mjpeg", "jpeg_pipe"]),
        ]

    private static let transport = Kind(bytes: [0x47], containers: ["mpegts"])

    package static func begins(_ bytes: [UInt8]) -> Bool { kind(of: bytes) != nil }

    /// Whether the file, by its first ``length`` bytes, is a video for the decoder too.
    package static func isVideo(_ bytes: [UInt8]) -> Bool {
        guard let kind = kind(of: bytes), let container = ContainerProbe.container(of: bytes) else { return false }
        return !kind.containers.isDisjoint(with: container.split(separator: ",").map(String.init))
    }

    /// The kind of a video that browsers play; nil for any other.
    package static func browserKind(of bytes: [UInt8]) -> SessionVideo.Kind? {
        guard isVideo(bytes), let kind = kind(of: bytes) else { return nil }
        return kind.containers.contains("webm") ? .webm : kind.containers.contains("mp4") ? .mp4 : nil
    }

    private static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.count >= shortest, bytes[0] == 0x47, bytes[shortest - 1] == 0x47 { return transport }
        return known.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
    }
}
