internal import Foundation
internal import GRDB
internal import KinemaCore

/// The file of the history: made for its owner alone, looked at before it is written to, its troubles in one line.
enum HistoryFile {
    /// Makes the folder and an empty file that only its owner may read; SQLite gives its side files the same rights.
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
            // Never in the place of a file: another program may have been quicker, which is as good.
            try Data().write(to: file, options: .withoutOverwriting)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } catch {
            if !FileManager.default.fileExists(atPath: file.path) { throw KinemaError.unwritable(file.path, error) }
        }
    }

    /// How many tables there are but the migrator's own list, which a program that is just making the history writes
    /// first.
    private static let tablesOfAnyone = "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'"

    /// Throws when the file is no history or a newer one than this build knows; writes nothing.
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
                .unreadableInput, "is the database of another program; name another file for the history",
                file: file.path)
        }
        if isNewer {
            throw KinemaError(
                .unsupported, "was written by a newer Kinema; update this one, or name another file for the history",
                file: file.path)
        }
    }

    /// Bytes that the sessions take; room that deleted ones left is used again and counts for nothing.
    static func size(_ db: Database) throws -> Int {
        func number(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
        return (try number("page_count") - number("freelist_count")) * (try number("page_size"))
    }

    /// The sessions would take more than so many bytes.
    static func full(_ limit: Int, _ file: URL) -> KinemaError {
        KinemaError(
            .unwritableOutput,
            "the history is full: it may take \(limit / 1_000_000) MB; take sessions out (kinema history delete), or let it "
                + "take more (kinema studio --history-limit MB)", file: file.path)
    }

    /// What went wrong, in one line for people.
    static func error(_ error: any Error, _ file: URL) -> KinemaError {
        if var error = error as? KinemaError {
            error.file = error.file ?? file.path
            return error
        }
        guard let error = error as? DatabaseError else {
            return KinemaError(.analysisFailed, "the history failed: \(error)", file: file.path)
        }
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return KinemaError(
                .unreadableInput, "is damaged, or no history; move it away to begin a new one",
                file: file.path)
        case .SQLITE_FULL: return .unwritable(file.path, errno: ENOSPC)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return KinemaError(
                .unwritableOutput, "another program has been writing to the history for long; try again",
                file: file.path)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: return .unwritable(file.path, errno: EACCES)
        case .SQLITE_IOERR:
            return KinemaError(
                .unwritableOutput, "could not be read or written; the disk may be full or failing", file: file.path)
        default:
            return KinemaError(
                .analysisFailed, "the history failed: \(error.message ?? "\(error.resultCode)")", file: file.path)
        }
    }
}
