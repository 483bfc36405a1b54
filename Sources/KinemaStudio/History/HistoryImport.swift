package import Foundation
import GRDB
import Kinema
package import KinemaCore
import KinemaMotion

/// What became of an archive that was taken in.
package struct ImportResult: Sendable, Equatable, Codable {
    /// Sessions that are new.
    package var added = 0
    /// Sessions that were there already, and were left alone.
    package var known = 0
}

/// Takes an archive from outside into a history: all of it is checked first, then all of it is kept or nothing.
struct HistoryImport {
    /// A session of the archive.
    private struct Item {
        var id: UUID
        var session: ZipReader.Entry
        var poses: ZipReader.Entry?
        var video: (entry: ZipReader.Entry, kind: SessionVideo.Kind)?

        /// What keeping it costs, bytes: its own, and its poses and video to copy.
        var bytes: Int { session.size + (poses?.size ?? 0) + (video?.entry.size ?? 0) }
    }

    /// Sessions of an archive: as many as the largest history has.
    private static let mostSessions = 100_000
    /// Sessions, and their bytes, that are kept in one transaction, so that others can write between two.
    private static let batch = (sessions: 200, bytes: 4 << 20)
    /// Bytes of a classifier; one of a hundred classes has about ten million.
    private static let modelBytes = 32 << 20
    /// Bytes of a video: the largest upload.
    private static let videoBytes = LiveLimits().uploadBytes
    /// Poses: as much as a session records, and not packed tighter than poses can be.
    private static let poses = {
        var limits = PoseFileLimits()
        limits.bytes = PoseRecording.limit + limits.lineBytes
        return limits
    }()
    /// Lines of nothing in a file of poses.
    private static let mostBlankLines = 1000
    /// Characters of a text in a session that is neither its note nor its drawing: names and codes.
    private static let textLength = 300
    /// The longest session, seconds: eleven days.
    private static let mostSeconds = 1_000_000.0
    /// The years in which a session can have been: two digits more would sort before all others.
    private static let years = 1970...2200
    /// Classifiers that are kept.
    private static let mostModels = StudioLimits().classifiers

    private let zip: ZipReader
    private let path: String
    private var items: [Item] = []
    /// Bytes of poses that may still be packed as tightly as only emptiness can be, over all files together.
    private var unratedBytes = HistoryImport.poses.ratioExemptBytes
    private var models: [(entry: ZipReader.Entry, known: HistoryStore.ClassifierEntry)] = []

    /// Reads what an archive holds, and looks at every part of it; throws `.unreadableInput` in one line.
    init(_ file: FileHandle, size: Int, path: String, scratch: HistoryFolder) throws(KinemaError) {
        self.path = path
        zip = try ZipReader(file, size: size, path: path)
        let entries = Dictionary(uniqueKeysWithValues: zip.entries.map { ($0.name, $0) })
        guard let about = entries[HistoryArchive.description] else {
            throw refusal("is no history of Kinema: \(HistoryArchive.description) is missing in it")
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
    }

    /// Throws when nobody waits for the answer any more.
    private func checkCancellation() throws(KinemaError) {
        if Task.isCancelled { throw refusal("was not imported: its sender has gone, or the studio ends") }
    }

    private func description(_ entry: ZipReader.Entry) throws(KinemaError) -> HistoryArchive.Description {
        let bytes = try zip.content(entry, atMost: 1 << 20)
        guard let about = try? JSONDecoder().decode(HistoryArchive.Description.self, from: Data(bytes)),
            about.format == HistoryArchive.format
        else { throw refusal("is no history of Kinema: \(HistoryArchive.description) in it makes no sense") }
        guard about.version <= HistoryArchive.version else {
            throw refusal("was written by a newer Kinema; update this one")
        }
        return about
    }

    /// Finds out what each file is; one that has no place in a history is refused with all.
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
            throw refusal("holds \(items.count) sessions; at most \(Self.mostSessions) are imported at once")
        }
        guard description.classifiers.count <= Self.mostModels else { throw refusal("holds too many classifiers") }
        for one in description.classifiers {
            guard ClassifierName.isID(one.id), SessionAnnotation.isLabel(one.name),
                let entry = left.removeValue(forKey: HistoryArchive.classifier(one.id))
            else { throw refusal("names a classifier that is not in it, or by no name") }
            models.append((entry, .init(id: one.id, name: one.name)))
        }
        guard let other = left.keys.min() else { return }
        throw refusal("holds \(ZipReader.shown(other)), which is no part of a history")
    }

    // MARK: Looking

    private mutating func check(_ item: Item) throws(KinemaError) {
        _ = try session(item)
        if let poses = item.poses {
            let lines: [UInt8]
            do throws(KinemaError) {
                lines = try Gzip.unpack(
                    try zip.content(poses, atMost: Self.poses.bytes), limit: Self.poses.bytes, ratio: Self.poses.ratio,
                    free: unratedBytes, file: path)
                unratedBytes -= min(unratedBytes, lines.count)
                guard Self.blankLines(lines) <= Self.mostBlankLines else { throw refusal("is mostly empty lines") }
                var reader = PoseLinesReader(lines, Self.poses, file: path)
                while let frame = try reader.next() {
                    guard Self.isPlausible(frame) else { throw refusal("frame \(frame.index) shows too many people") }
                    try checkCancellation()
                }
            } catch {
                throw refusal("\(poses.name): \(error.message)")
            }
        }
        if let (video, kind) = item.video {
            guard !video.isDeflated, video.size <= Self.videoBytes,
                VideoSignature.browserKind(of: try zip.beginning(video, VideoSignature.length)) == kind
            else { throw refusal("\(video.name) is no such video, or is too large") }
        }
    }

    private static func isPlausible(_ frame: ExportedFrame) -> Bool {
        let figures = frame.poses + frame.hands.map(\.pose)
        return frame.poses.count <= SessionLimits.inFrame && frame.hands.count <= SessionLimits.inFrame
            && figures.allSatisfy {
                $0.keypoints.count <= SessionLimits.inFrame && $0.keypoints3D.count <= SessionLimits.inFrame
            }
    }

    private static func blankLines(_ text: [UInt8]) -> Int {
        let end = UInt8(ascii: "\n")
        var (count, before) = (0, end)
        for byte in text {
            if byte == end, before == end { count += 1 }
            // Spaces make no line.
            if byte > 0x20 || byte == end { before = byte }
        }
        return count
    }

    private func check(_ entry: ZipReader.Entry, _ scratch: HistoryFolder) throws(KinemaError) {
        let file = try scratch.begin()
        do { try file.handle.write(contentsOf: Data(try zip.content(entry, atMost: Self.modelBytes))) } catch {
            throw error as? KinemaError ?? KinemaError.unwritable(scratch.url.path, error)
        }
        let model: HumanActionClassifier
        do { model = try HumanActionClassifier(contentsOf: file.url) } catch {
            throw refusal("\(entry.name): \(error.message)")
        }
        guard model.classes.count <= StudioLimits().trainingClasses, model.classes.allSatisfy(SessionAnnotation.isLabel)
        else { throw refusal("\(entry.name) has too many classes, or one by no name") }
    }

    /// A session as it may be kept; throws when anything in it makes no sense.
    private func session(_ item: Item) throws(KinemaError) -> StoredSession {
        let bytes = try zip.content(item.session, atMost: SessionLimits.bytes)
        // Before it is decoded, which takes many times its bytes.
        guard Self.values(in: bytes) <= SessionLimits.values else {
            throw refusal("\(item.session.name) in it has more than \(SessionLimits.values) values")
        }
        guard var session = try? JSONDecoder().decode(StoredSession.self, from: Data(bytes)), session.id == item.id
        else {
            throw refusal("\(item.session.name) in it is no session")
        }
        do throws(KinemaError) {
            if let corrections = session.corrections,
                case .corrections(let kept) = try SessionAnnotation.corrections(corrections).checked(
                    duration: session.duration)
            {
                session.corrections = kept
            }
            if case .marks(let kept) = try SessionAnnotation.marks(session.marks).checked(duration: session.duration) {
                session.marks = kept
            }
            if case .note(let kept) = try SessionAnnotation.note(session.note).checked(duration: session.duration) {
                session.note = kept
            }
        } catch {
            throw refusal("\(item.session.name): \(error.message)")
        }
        guard session.plan?.isValid != false, Self.isSound(session), Self.holdsOnlyNames(bytes),
            session.exercise.map({ $0.count <= 100 && !$0.unicodeScalars.contains(where: PlainText.isHidden) })
                != false,
            session.drawing.map(Self.isDrawing) != false
        else { throw refusal("\(item.session.name) in it makes no sense") }
        if let fault = session.listFault { throw refusal("\(item.session.name) in it \(fault)") }
        session.video = item.video.map { SessionVideo(type: $0.kind, bytes: $0.entry.size) }
        return session
    }

    /// How many values JSON has at most: one behind each comma and each bracket outside of its strings.
    private static func values(in json: [UInt8]) -> Int {
        var (count, isText, isEscaped) = (1, false, false)
        for byte in json {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isText
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): if !isText { count += 1 }
            default: break
            }
        }
        return count
    }

    /// Whether the numbers of a session can be those of one.
    private static func isSound(_ session: StoredSession) -> Bool {
        let year = Calendar(identifier: .gregorian).component(.year, from: session.date)
        return (0...mostSeconds).contains(session.duration) && years.contains(year)
            && [session.count, session.people].allSatisfy { (0...1_000_000).contains($0) }
            && session.segments.allSatisfy { $0.start <= $0.end && (0...1).contains($0.confidence) }
    }

    /// Whether every text is short and without control characters, but the note and the drawing, which have their own rules.
    private static func holdsOnlyNames(_ json: [UInt8]) -> Bool {
        func isName(_ text: String) -> Bool {
            text.utf8.count <= 4 * textLength && text.count <= textLength
                && !text.unicodeScalars.contains(where: PlainText.isHidden)
        }
        func holds(_ value: Any) -> Bool {
            switch value {
            case let text as String: isName(text)
            case let list as [Any]: list.allSatisfy(holds)
            case let object as [String: Any]:
                object.allSatisfy { name, part in isName(name) && (["note", "drawing"].contains(name) || holds(part)) }
            default: true
            }
        }
        guard let session = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] else { return false }
        return holds(session)
    }

    /// Whether a text can be a drawing of ours, and does nothing but show.
    private static func isDrawing(_ text: String) -> Bool {
        let start = text.prefix(500)
        guard text.utf8.count <= SessionLimits.drawing, start.hasPrefix("<?xml") || start.hasPrefix("<svg"),
            start.contains("<svg")
        else { return false }
        // Elements of other namespaces, handlers and what leads elsewhere have no place in lines.
        let foreign = #"(?i)script|foreignobject|<!|<image|iframe|stylesheet|&#|\son\w+\s*=|href\s*=\s*["'](?!#)|<\w+:"#
        return text.range(of: foreign, options: .regularExpression) == nil
    }

    private func refusal(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: path) }

    // MARK: Keeping

    /// What was kept of an archive so far.
    private struct Kept: Sendable {
        var result = ImportResult()
        var sessions: [UUID] = []
        var files: [URL] = []
    }

    /// Keeps what is new, some sessions in each transaction; all of it, or nothing when something fails or the task is
    /// cancelled.
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
            return kept.result
        } catch {
            let kept = kept
            for url in kept.files { try? FileManager.default.removeItem(at: url) }
            try? await store.perform { db in
                for id in kept.sessions {
                    try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id.uuidString])
                }
            }
            throw error
        }
    }

    /// The next sessions of one transaction.
    private static func batch(of rest: inout ArraySlice<Item>) -> [Item] {
        var (batch, bytes): ([Item], Int) = ([], 0)
        while let next = rest.first, batch.isEmpty || batch.count < Self.batch.sessions && bytes < Self.batch.bytes {
            bytes += next.bytes
            batch.append(rest.removeFirst())
        }
        return batch
    }

    /// One transaction, which leaves no file either when it fails.
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
                for url in kept.files.dropFirst(before.files.count) { try? FileManager.default.removeItem(at: url) }
                throw error
            }
        }
    }

    private func keep(_ item: Item, in store: HistoryStore, _ db: Database, _ kept: inout Kept) throws {
        let isKnown = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM session WHERE id = ?)", arguments: [item.id.uuidString])
        guard isKnown != true else {
            kept.result.known += 1
            return
        }
        let poses = try item.poses.map { Data(try zip.content($0, atMost: Self.poses.bytes)) }
        try SessionRows.insert(try session(item), packedPoses: poses, into: db)
        // As any reader would: numbers beyond what can be summed up are found here.
        guard (try? SessionRows.fetch(SessionRows.Choice(id: item.id), from: db))?.count == 1 else {
            throw refusal("\(item.session.name) in it makes no sense")
        }
        try store.checkSize(db)
        if let (video, kind) = item.video {
            let target = store.videos.file(HistoryFolder.name(item.id, kind))
            kept.files.append(try place(video, target, store.videos))
        }
        kept.sessions.append(item.id)
        kept.result.added += 1
    }

    private func keepModels(in store: HistoryStore, _ db: Database, _ kept: inout Kept) throws {
        let newModels = try models.filter { try !Self.isThere($0.known.id, db) }
        let there = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM classifier") ?? 0
        guard newModels.isEmpty || there + newModels.count <= Self.mostModels else {
            throw refusal("has more classifiers than there is room for; \(Self.mostModels) are kept at most")
        }
        for (entry, known) in newModels {
            try HistoryStore.insertClassifier(known, bytes: entry.size, db)
            try store.checkSize(db)
            kept.files.append(try place(entry, store.classifierFile(known.id), store.classifiers))
        }
    }

    private static func isThere(_ classifier: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM classifier WHERE id = ?)", arguments: [classifier]) ?? false
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
    /// Takes in an archive that ``exportAll(to:withVideos:)`` wrote; sessions that are there already are left alone.
    ///
    /// Throws `.unreadableInput` for one that is damaged or none, `.unwritableOutput` when it does not fit; then nothing
    /// of it is kept.
    package func importAll(from url: URL) async throws(KinemaError) -> ImportResult {
        guard let size = BoundedFile.size(of: url), let file = try? FileHandle(forReadingFrom: url) else {
            throw KinemaError(.unreadableInput, "no such file, or it cannot be read", file: url.path)
        }
        return try await importAll(file, size: size, path: url.path)
    }

    /// The same of an open file of this size; `path` is what errors name.
    func importAll(_ file: FileHandle, size: Int, path: String) async throws(KinemaError) -> ImportResult {
        let reading = try HistoryImport(file, size: size, path: path, scratch: classifiers)
        return try await reading.keep(in: self)
    }
}
