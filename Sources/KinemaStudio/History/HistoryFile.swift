import Foundation
import GRDB
import KinemaCore

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
