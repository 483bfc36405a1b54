import KinemaHTTP
package import Foundation
import GRDB
package import KinemaCore
import Synchronization

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

    package func begin() throws(KinemaError) -> PartialFile {
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

/// The history's file: its creation for the owner alone, its check before use, its errors in one line.
enum HistoryFile {
    /// Makes the folder and an empty file that only its owner may read; SQLite's side files get the same rights.
    static func prepare(_ file: URL) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) {
            if isFolder.boolValue { throw KinemaError.unwritable(file.path, errno: EISDIR) }
            return
        }
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw KinemaError.unwritable(file.path, error)
        }
        do {
            // Never replaces a file that another program has just made.
            try Data().write(to: file, options: .withoutOverwriting)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } catch {
            if !FileManager.default.fileExists(atPath: file.path) { throw KinemaError.unwritable(file.path, error) }
        }
    }

    /// Runs the body under an exclusive lock on the folder, waiting at most `patience` seconds.
    static func whileAlone<Result>(with file: URL, patience: TimeInterval, _ body: () throws -> Result) rethrows
        -> Result
    {
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        let deadline = ContinuousClock.now + .seconds(patience)
        while folder >= 0, flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR,
            ContinuousClock.now < deadline
        {
            Thread.sleep(forTimeInterval: 0.01)
        }
        return try body()
    }

    /// Counts all tables but the migrator's, which a program creating the history writes first.
    private static let tablesOfAnyone = "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'"

    /// Throws if the file is not a history, or newer than this build; writes nothing.
    static func check(_ file: URL) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let database = try DatabaseQueue(path: file.path, configuration: configuration)
        defer { try? database.close() }
        let (tables, application, isNewer) = try database.read { db in
            (
                try Int.fetchOne(db, sql: tablesOfAnyone) ?? 0,
                try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
                try HistorySchema.migrator.hasBeenSuperseded(db)
            )
        }
        guard tables > 0 else { return }
        guard application == HistorySchema.applicationID else {
            throw KinemaError(
                .unreadableInput, "is the database of another program; choose another file for the history",
                file: file.path)
        }
        if isNewer {
            throw KinemaError(
                .unsupported, "was written by a newer Kinema; update Kinema, or choose another file for the history",
                file: file.path)
        }
    }

    /// Bytes of all sessions with their videos and of the classifiers, without SQLite's free pages.
    static func size(_ db: Database) throws -> Int {
        func number(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
        let beside = try Int.fetchOne(
            db,
            sql: """
                SELECT coalesce((SELECT sum(json_extract(json, '$.bytes')) FROM annotation WHERE kind = 'video'), 0) \
                + coalesce((SELECT sum(bytes) FROM classifier), 0)
                """)
        return (try number("page_count") - number("freelist_count")) * (try number("page_size")) + (beside ?? 0)
    }

    static func full(_ limit: Int, _ file: URL) -> KinemaError {
        KinemaError(
            .unwritableOutput,
            "the history has reached its limit of \(limit / 1_000_000) MB; delete sessions (kinema history delete) or raise "
                + "the limit (kinema studio --history-limit MB)", file: file.path)
    }

    static func error(_ error: any Error, _ file: URL) -> KinemaError {
        if var error = error as? KinemaError {
            error.file = error.file ?? file.path
            return error
        }
        func failed(_ code: KinemaError.Code, _ what: String) -> KinemaError {
            KinemaError(code, what, file: file.path)
        }
        guard let error = error as? DatabaseError else {
            return failed(.analysisFailed, "the history database failed: \(error)")
        }
        return switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            failed(.unreadableInput, "is damaged or not a history; move it away to start a new one")
        case .SQLITE_FULL: .unwritable(file.path, errno: ENOSPC)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            failed(.unwritableOutput, "another program keeps writing to the history; try again")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: .unwritable(file.path, errno: EACCES)
        case .SQLITE_IOERR:
            failed(.unwritableOutput, "could not be read or written; the disk may be full or failing")
        default: failed(.analysisFailed, "the history database failed: \(error.message ?? "\(error.resultCode)")")
        }
    }
}

/// The history's write-ahead log. It holds deleted data until it is emptied, which an open reader prevents.
final class HistoryLog: Sendable {
    /// At first true, as an earlier program may have left some.
    private let remains = Mutex(true)
    private let patience: TimeInterval

    init(patience: TimeInterval) { self.patience = patience }

    /// Whether deleted data may still be in it.
    var hasRemains: Bool { remains.withLock { $0 } }

    /// For a transaction that deletes.
    func mark() { remains.withLock { $0 = true } }

    /// Moves its pages to the file and truncates it, without waiting; if it is in use, the mark stays.
    func empty(_ db: Database) {
        try? db.execute(sql: "PRAGMA busy_timeout = 0")
        let isDone = (try? db.checkpoint(.truncate)) != nil
        try? db.execute(sql: "PRAGMA busy_timeout = \(Int(patience * 1000))")
        if isDone { remains.withLock { $0 = false } }
    }
}

/// A locked file that is being written; it is deleted if it is released before it has a name.
package final class PartialFile: Sendable {
    static let prefix = "part-"

    let url: URL
    /// Open for reading and writing.
    package let handle: FileHandle

    init(in folder: URL) throws(KinemaError) {
        url = folder.appending(path: Self.prefix + RandomID.make())
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw KinemaError.unwritable(folder.path, errno: errno) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        unlink(url.path)
        try? handle.close()
    }

    func synchronise() throws(KinemaError) {
        do { try handle.synchronize() } catch {
            throw KinemaError.unwritable(url.deletingLastPathComponent().path, error)
        }
    }

    /// Gives it its name; replaces an existing file.
    func move(to target: URL) throws(KinemaError) {
        guard rename(url.path, target.path) == 0 else { throw KinemaError.unwritable(target.path, errno: errno) }
    }

    /// Removes a file that no process is writing.
    static func removeLeftover(_ file: URL) {
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(file.path) }
    }
}
