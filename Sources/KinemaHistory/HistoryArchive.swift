package import Foundation
import GRDB
package import Kinema

/// The whole history as one zip archive: a description, sessions as JSON, gzipped poses, videos, classifiers and
/// taught exercises.
package enum HistoryArchive {
    package struct Description: Codable {
        package struct Exercise: Codable, Sendable {
            var name: String
            var origin: ExerciseFiles.Origin?
        }

        var format = HistoryArchive.format
        /// Programs of version 1 can read an archive without exercises.
        var version = 1
        var classifiers: [HistoryStore.ClassifierEntry] = []
        var exercises: [Exercise]?
    }

    static let format = "kinema-history"
    /// Increase it when older programs cannot read the archive.
    static let version = 2
    static let description = "kinema-history.json"

    enum Folder: String, CaseIterable {
        case sessions, poses, videos, classifiers, exercises
    }

    static func session(_ id: UUID) -> String { "\(Folder.sessions.rawValue)/\(id.uuidString).json" }
    static func poses(_ id: UUID) -> String { "\(Folder.poses.rawValue)/\(id.uuidString).jsonl.gz" }
    static func video(_ id: UUID, _ kind: SessionVideo.Kind) -> String {
        "\(Folder.videos.rawValue)/\(HistoryFolder.name(id, kind))"
    }
    static func exercise(_ name: String) -> String { "\(Folder.exercises.rawValue)/\(name).exercise.json" }
    static func classifier(_ id: String) -> String { "\(Folder.classifiers.rawValue)/\(id).model" }
}

extension HistoryStore {
    /// The archive as a file and its size in bytes; only one session at a time is in memory.
    package func archive(of person: String? = nil, withVideos: Bool) async throws -> (file: FileHandle, size: Int) {
        let target = try makeUnnamedFile()
        return (target, try await writeArchive(of: person, to: target, withVideos: withVideos))
    }

    /// Writes the archive to a file, whole or not at all. Throws `.unwritableOutput`.
    package func exportAll(to url: URL, withVideos: Bool) async throws {
        let target = try PartialFile(in: url.deletingLastPathComponent())
        _ = try await writeArchive(of: nil, to: target.handle, withVideos: withVideos)
        try target.synchronise()
        try target.move(to: url)
    }

    /// Classifiers belong to nobody, so a person's archive has none.
    private func writeArchive(of person: String?, to file: FileHandle, withVideos: Bool) async throws -> Int {
        do {
            var zip = ZipFileWriter(file)
            let models =
                try await person == nil
                ? classifierEntries().filter { BoundedFile.size(of: classifierFile($0.id)) != nil } : []
            let exercises = try await taught(by: person).filter { self.exercises.exercise($0.name) != nil }
            var description = HistoryArchive.Description(classifiers: models)
            if !exercises.isEmpty {
                description.version = HistoryArchive.version
                description.exercises = exercises
            }
            try zip.add(try StoredSession.json(description), name: HistoryArchive.description)
            let ids = try await perform { db in
                try SessionRows.ids(SessionRows.Choice(filter: SessionFilter(person: person)), from: db).reversed()
            }
            for id in ids {
                try Task.checkCancellation()
                try await add(id, withVideos: withVideos, to: &zip)
            }
            for model in models {
                try zip.add(contentsOf: classifierFile(model.id), name: HistoryArchive.classifier(model.id))
            }
            for exercise in exercises {
                try zip.add(
                    contentsOf: self.exercises.file(exercise.name), name: HistoryArchive.exercise(exercise.name))
            }
            return try zip.finish()
        } catch let error where error is KinemaError || error is CancellationError {
            throw error
        } catch {
            throw KinemaError.unwritable(self.file.path, error)
        }
    }

    private func add(_ id: UUID, withVideos: Bool, to zip: inout ZipFileWriter) async throws {
        guard var session = try await perform({ try SessionRows.session(id, from: $0) })
        else { return }
        let video = videoFile(session).flatMap { url in session.video.map { (kind: $0.type, url: url) } }
        let isVideoThere = video.map { BoundedFile.size(of: $0.url) != nil } ?? false
        if !withVideos || !isVideoThere { session.video = nil }
        try zip.add(try session.json(), name: HistoryArchive.session(id))
        if let packed = try await packedPoses(id) {
            try zip.add(packed, name: HistoryArchive.poses(id), isPacked: true)
        }
        if let video, session.video != nil {
            try zip.add(contentsOf: video.url, name: HistoryArchive.video(id, video.kind))
        }
    }

    /// Deletes every session, video, classifier and taught exercise; returns the number of sessions.
    package func deleteAll() async throws(KinemaError) -> Int {
        let count = try await perform { db in
            log.mark()
            try db.execute(sql: "DELETE FROM session")
            let count = db.changesCount
            try db.execute(sql: "DELETE FROM classifier")
            return count
        }
        for name in exercises.names { exercises.remove(name) }
        try await removeStrays()
        await shrink()
        return count
    }

    /// Deletes everything of a person, including exercises taught from their sessions; returns the numbers of sessions
    /// and exercises.
    package func deleteAll(of person: String) async throws(KinemaError) -> Int {
        let shown = try await taught(by: person)
        let choice = SessionRows.Choice(filter: SessionFilter(person: person))
        let count = try await perform { db in
            log.mark()
            try db.execute(
                sql: "DELETE FROM session WHERE id IN (\(SessionRows.Choice.ids))", arguments: choice.arguments)
            return db.changesCount
        }
        for one in shown { exercises.remove(one.name) }
        guard count > 0 else { return shown.count }
        try await removeStrays()
        await shrink()
        return count + shown.count
    }

    /// Frees the disk space, if there is enough to rewrite the file; deleted data were overwritten already.
    private func shrink() async {
        let log = log
        try? await database.writeWithoutTransaction { db in
            try db.execute(sql: "VACUUM")
            log.empty(db)
        }
    }
}
