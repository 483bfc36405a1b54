import KinemaHTTP
import KinemaCounting
package import Foundation
import GRDB
package import Kinema

package struct ImportResult: Sendable, Equatable, Codable {
    package var added = 0
    /// Sessions that were already there unchanged.
    package var known = 0
}

/// Imports an archive into a history: checks everything first, then keeps all of it or nothing.
struct HistoryImport {
    struct Item {
        var id: UUID
        var session: ZipReader.Entry
        var poses: ZipReader.Entry?
        var video: (entry: ZipReader.Entry, kind: SessionVideo.Kind)?

        var bytes: Int { session.size + (poses?.size ?? 0) + (video?.entry.size ?? 0) }
    }

    /// As many sessions as the largest history has.
    private static let mostSessions = 100_000
    /// The limits of one transaction, so that other programs can write between two.
    private static let batch = (sessions: 200, bytes: 4 << 20)
    /// A classifier of a hundred classes has about 10 MB.
    static let modelBytes = 32 << 20
    /// As much as a session records, and no higher compression than poses can have.
    static let poses = {
        var limits = PoseFileLimits()
        limits.bytes = StoredSession.posesLimit + limits.lineBytes
        return limits
    }()
    private static let (mostModels, mostExercises) = (StudioLimits().classifiers, StudioLimits().exercises)

    let zip: ZipReader
    let path: String
    private var items: [Item] = []
    /// Bytes of poses, over all files together, that may still exceed the compression limit.
    var unratedBytes = HistoryImport.poses.ratioExemptBytes
    private var models: [(entry: ZipReader.Entry, known: HistoryStore.ClassifierEntry)] = []
    private var exercises: [(entry: ZipReader.Entry, known: HistoryArchive.Description.Exercise)] = []

    /// Reads an archive and checks every part; throws `.unreadableInput`.
    init(_ file: FileHandle, size: Int, path: String, scratch: HistoryFolder) throws(KinemaError) {
        self.path = path
        zip = try ZipReader(file, size: size, path: path)
        let entries = Dictionary(uniqueKeysWithValues: zip.entries.map { ($0.name, $0) })
        guard let about = entries[HistoryArchive.description] else {
            throw refusal("is not a history of Kinema: \(HistoryArchive.description) is missing")
        }
        let description = try description(about)
        try sort(entries, description)
        for item in items {
            try checkCancellation()
            try check(item)
        }
        for model in models {
            try checkCancellation()
            try check(model.entry, scratch)
        }
        for exercise in exercises { try check(exercise.entry, exercise.known) }
    }

    func checkCancellation() throws(KinemaError) {
        if Task.isCancelled { throw refusal("was not imported: the client disconnected, or the studio is closing") }
    }

    private func description(_ entry: ZipReader.Entry) throws(KinemaError) -> HistoryArchive.Description {
        let bytes = try zip.content(entry, atMost: 1 << 20)
        guard let about = try? JSONDecoder().decode(HistoryArchive.Description.self, from: Data(bytes)),
            about.format == HistoryArchive.format
        else { throw refusal("is not a history of Kinema: \(HistoryArchive.description) is invalid") }
        guard about.version <= HistoryArchive.version else {
            throw refusal("was written by a newer Kinema; update Kinema")
        }
        return about
    }

    /// Assigns each file its role; refuses the archive if a file has none.
    private mutating func sort(
        _ entries: [String: ZipReader.Entry], _ description: HistoryArchive.Description
    ) throws(KinemaError) {
        var left = entries
        left[HistoryArchive.description] = nil
        for folder in HistoryArchive.Folder.allCases where left["\(folder.rawValue)/"]?.size == 0 {
            left["\(folder.rawValue)/"] = nil
        }
        for name in left.keys.sorted() where name.hasPrefix("sessions/") && name.hasSuffix(".json") {
            guard let id = UUID(uuidString: String(name.dropFirst(9).dropLast(5))), let entry = left[name],
                name == HistoryArchive.session(id)
            else { continue }
            var item = Item(id: id, session: entry, poses: left.removeValue(forKey: HistoryArchive.poses(id)))
            left[name] = nil
            for kind in SessionVideo.Kind.allCases where item.video == nil {
                item.video = left.removeValue(forKey: HistoryArchive.video(id, kind)).map { ($0, kind) }
            }
            items.append(item)
        }
        guard items.count <= Self.mostSessions else {
            throw refusal("contains \(items.count) sessions; at most \(Self.mostSessions) are imported at once")
        }
        guard description.classifiers.count <= Self.mostModels else { throw refusal("contains too many classifiers") }
        for one in description.classifiers {
            guard ClassifierName.isID(one.id), SessionAnnotation.isLabel(one.name),
                let entry = left.removeValue(forKey: HistoryArchive.classifier(one.id))
            else { throw refusal("lists a classifier that it does not contain, or one without a name") }
            models.append((entry, one))
        }
        for one in description.exercises ?? [] {
            guard let entry = left.removeValue(forKey: HistoryArchive.exercise(one.name)) else {
                throw refusal("lists an exercise that it does not contain")
            }
            exercises.append((entry, one))
        }
        guard exercises.count <= Self.mostExercises else { throw refusal("contains too many exercises") }
        guard let other = left.keys.min() else { return }
        throw refusal("contains \(ZipReader.shown(other)), which is not part of a history")
    }

    func refusal(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: path) }

    // MARK: Keeping

    private struct Kept: Sendable {
        var result = ImportResult()
        var sessions: [UUID] = []
        var files: [URL] = []
    }

    /// Stores new sessions, some in each transaction; removes them again if something fails or the task is cancelled.
    func keep(in store: HistoryStore) async throws(KinemaError) -> ImportResult {
        var kept = Kept()
        do {
            var rest = items[...]
            while !rest.isEmpty {
                try checkCancellation()
                let batch = Self.batch(of: &rest)
                kept = try await step(after: kept, in: store) { db, kept in
                    for item in batch { try keep(item, in: store, db, &kept) }
                }
            }
            try checkCancellation()
            kept = try await step(after: kept, in: store) { db, kept in try keepModels(in: store, db, &kept) }
            try keepExercises(in: store, &kept.files)
            return kept.result
        } catch {
            let kept = kept
            Self.discard(kept.files[...], in: store)
            try? await store.perform { db in
                store.log.mark()
                for id in kept.sessions {
                    try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id.uuidString])
                }
            }
            throw error
        }
    }

    /// Removes files, and folders of people that are then empty.
    private static func discard(_ files: ArraySlice<URL>, in store: HistoryStore) {
        for url in files {
            try? FileManager.default.removeItem(at: url)
            let folder = url.deletingLastPathComponent().path
            let own = [store.videos, store.classifiers, store.exercises.folder].map(\.url.path)
            if !own.contains(folder) { rmdir(folder) }
        }
    }

    private static func batch(of rest: inout ArraySlice<Item>) -> [Item] {
        var (batch, bytes): ([Item], Int) = ([], 0)
        while let next = rest.first, batch.isEmpty || batch.count < Self.batch.sessions && bytes < Self.batch.bytes {
            bytes += next.bytes
            batch.append(rest.removeFirst())
        }
        return batch
    }

    /// One transaction, which removes its files if it fails.
    private func step(
        after before: Kept, in store: HistoryStore, _ work: @escaping @Sendable (Database, inout Kept) throws -> Void
    ) async throws(KinemaError) -> Kept {
        try await store.perform { db in
            var kept = before
            do {
                try work(db, &kept)
                try store.checkSize(db)
                return kept
            } catch {
                Self.discard(kept.files.dropFirst(before.files.count), in: store)
                throw error
            }
        }
    }

    private func keep(_ item: Item, in store: HistoryStore, _ db: Database, _ kept: inout Kept) throws {
        guard try !Self.isKnown(item.id.uuidString, in: "session", db) else {
            kept.result.known += 1
            return
        }
        let poses = try item.poses.map { Data(try zip.content($0, atMost: Self.poses.bytes)) }
        try SessionRows.insert(try session(item), packedPoses: poses, into: db)
        // Reading it back finds numbers that are too large.
        guard case .some(.some) = try? SessionRows.session(item.id, from: db) else {
            throw refusal("contains \(item.session.name), which is invalid")
        }
        try store.checkSize(db)
        if let (video, kind) = item.video {
            let person = try session(item).details?.person
            try store.videos.prepare(for: person)
            let target = store.videos.file(HistoryFolder.name(item.id, kind, of: person))
            kept.files.append(try place(video, target, store.videos))
        }
        kept.sessions.append(item.id)
        kept.result.added += 1
    }

    private func keepModels(in store: HistoryStore, _ db: Database, _ kept: inout Kept) throws {
        let newModels = try models.filter { try !Self.isKnown($0.known.id, in: "classifier", db) }
        let there = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM classifier") ?? 0
        guard newModels.isEmpty || there + newModels.count <= Self.mostModels else {
            throw refusal("has too many classifiers; at most \(Self.mostModels) are kept")
        }
        for (entry, known) in newModels {
            try HistoryStore.insertClassifier(known, bytes: entry.size, db)
            try store.checkSize(db)
            kept.files.append(try place(entry, store.classifierFile(known.id), store.classifiers))
        }
    }

    /// Existing exercises of the same name stay; one named like a built-in exercise would never be visible.
    private func keepExercises(in store: HistoryStore, _ files: inout [URL]) throws(KinemaError) {
        let there = Set(store.exercises.names)
        let new = exercises.filter { one in
            !there.contains(one.known.name) && !ExerciseLibrary.all.contains { $0.name == one.known.name }
        }
        guard there.count + new.count <= Self.mostExercises else {
            throw refusal("has too many exercises; at most \(Self.mostExercises) are kept")
        }
        for (entry, known) in new {
            try store.exercises.folder.prepare()
            files.append(store.exercises.noteFile(known.name))
            try store.exercises.note(known.origin, of: known.name)
            files.append(try place(entry, store.exercises.file(known.name), store.exercises.folder))
        }
    }

    private static func isKnown(_ id: String, in table: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE id = ?)", arguments: [id]) ?? false
    }

    private func place(_ entry: ZipReader.Entry, _ target: URL, _ folder: HistoryFolder) throws(KinemaError) -> URL {
        let file = try folder.begin()
        if entry.isDeflated {
            let bytes = try zip.content(entry, atMost: Self.modelBytes)
            do { try file.handle.write(contentsOf: Data(bytes)) } catch {
                throw KinemaError.unwritable(folder.url.path, error)
            }
        } else {
            try zip.copy(entry, to: file.handle, at: folder.url.path)
        }
        try file.synchronise()
        try file.move(to: target)
        return target
    }
}

extension HistoryStore {
    /// Imports an archive of ``exportAll(to:withVideos:)``, skipping known sessions.
    ///
    /// Throws `.unreadableInput` for an invalid file, `.unwritableOutput` if it does not fit; then it keeps nothing.
    package func importAll(from url: URL) async throws(KinemaError) -> ImportResult {
        guard let size = BoundedFile.size(of: url), let file = try? FileHandle(forReadingFrom: url) else {
            throw KinemaError(.unreadableInput, "no such file, or it cannot be read", file: url.path)
        }
        return try await importAll(file, size: size, path: url.path)
    }

    /// Imports an open file of this size; errors name `path`.
    package func importAll(_ file: FileHandle, size: Int, path: String) async throws(KinemaError) -> ImportResult {
        let reading = try HistoryImport(file, size: size, path: path, scratch: classifiers)
        return try await reading.keep(in: self)
    }
}
