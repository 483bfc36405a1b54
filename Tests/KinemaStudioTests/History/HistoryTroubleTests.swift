@testable import KinemaHistory
import Foundation
import GRDB
import Kinema
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// What can be wrong with the file of the history: each is reported in one line, and nothing is lost by it.
struct HistoryTroubleTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("history.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func failure(_ work: () async throws -> Void) async throws -> KinemaError {
        do {
            try await work()
        } catch {
            let error = try #require(error as? KinemaError, "\(error)")
            #expect(!error.description.contains("\n"))
            #expect(error.file == file.path)
            return error
        }
        Issue.record("nothing was thrown")
        return KinemaError(.analysisFailed, "")
    }

    @Test func `a file of a newer version is refused and left as it is`() async throws {
        try await HistoryStore(file).add(.everything())
        try await DatabaseQueue(path: file.path).write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99: of the future')")
            try db.execute(sql: "CREATE TABLE future (x)")
        }
        let before = try Data(contentsOf: file)
        let error = try await failure { _ = try HistoryStore(file) }
        #expect(error.code == .unsupported && error.message.contains("newer"))
        #expect(try Data(contentsOf: file) == before)
    }

    @Test(arguments: [
        "no database at all, only text that is longer than a hundred bytes, so that it could be a header. ."
    ])
    func `a file that is not a database is refused and not changed`(_ text: String) async throws {
        try Data(text.utf8).write(to: file)
        let error = try await failure { _ = try HistoryStore(file) }
        #expect(error.code == .unreadableInput && error.message.contains("damaged"))
        #expect(try Data(contentsOf: file) == Data(text.utf8))
    }

    @Test func `a damaged history is reported and not changed`() async throws {
        let store = try HistoryStore(file)
        for number in 0..<200 { try await store.add(.everything(Date(timeIntervalSince1970: Double(number)))) }
        try await DatabaseQueue(path: file.path).writeWithoutTransaction {
            _ = try $0.checkpoint(.truncate)
        }
        var bytes = try Data(contentsOf: file)
        // Every page after the schema's own.
        for index in 8192..<bytes.count { bytes[index] = 0xA5 }
        let copy = folder.file("copy.sqlite")
        try bytes.write(to: copy)
        var told: KinemaError?
        do {
            let damaged = try HistoryStore(copy)
            _ = try await damaged.sessions()
        } catch { told = error }
        #expect(told?.code == .unreadableInput && told?.message.contains("damaged") == true, "\(told as Any)")
        // SQLite may mend its first pages; what was damaged, and might be saved, is still there.
        let left = try Data(contentsOf: copy)
        #expect(left.count >= bytes.count)
        #expect(left[8192..<bytes.count] == bytes[8192...])
    }

    @Test(arguments: [
        "UPDATE session SET duration = 1e300", "UPDATE session SET count = 9223372036854775807",
        "UPDATE event SET json = json_set(json, '$.confidence', 1e308) WHERE kind = 'segment'",
        "UPDATE event SET json = json_set(json, '$.start', -1e308) WHERE kind = 'repetition'",
        "UPDATE event SET json = json_set(json, '$.score', -9223372036854775807 - 1) WHERE kind = 'throw'",
        "UPDATE event SET json = json_set(json, '$.faults[0].measured', 9e999) WHERE kind = 'repetition'",
        "UPDATE event SET json = '{}' WHERE kind = 'pinch'",
    ])
    func `numbers that make no sense are told with their session, which can be deleted`(_ change: String) async throws {
        let session = StoredSession.everything()
        let store = try HistoryStore(file)
        try await store.add(session)
        try await DatabaseQueue(path: file.path).write { try $0.execute(sql: change) }
        let error = try await failure { _ = try await store.sessions() }
        #expect(error.code == .unreadableInput && error.message.contains(session.id.uuidString), "\(error)")
        #expect(try await store.delete(session.id))
        #expect(try await store.sessions().isEmpty)
    }

    @Test func `a history of the first version is taken over, event by event`() async throws {
        let id = UUID()
        let database = try DatabaseQueue(path: file.path)
        try HistorySchema.migrator.migrate(database, upTo: "1: sessions and what happened in them")
        try await database.write { db in
            for (mode, session) in [("coach", id), ("count", UUID())] {
                let text = session.uuidString
                try db.execute(
                    sql: """
                        INSERT INTO session VALUES ('\(text)', '2026-03-10T12:00:00.000Z', '\(mode)', 'camera', 20,
                            \(mode == "coach" ? "'squat'" : "NULL"), 2, 1, NULL);
                        INSERT INTO repetition VALUES ('\(text)', 0, 1, 1, 2.5, 0.75, 0.9, 0.5, 0.25, 0.75);
                        INSERT INTO repetition VALUES ('\(text)', 1, 1, 3, 9, NULL, NULL, NULL, NULL, NULL);
                        INSERT INTO fault VALUES ('\(text)', 0, 0, 'shallow', 'shallow', 'leftKnee', 'bottom', 80, 100);
                        INSERT INTO throw VALUES ('\(text)', 0, 'underhand', 8.94, NULL, 'hole', 3, 4, 5);
                        INSERT INTO pinch VALUES ('\(text)', 0, 'unknown', 1, 2);
                        INSERT INTO segment VALUES ('\(text)', 0, '', 0.5, 0, 9);
                        """)
            }
        }
        try database.close()
        let store = try HistoryStore(file)
        let coached = try #require(try await store.session(id))
        #expect(coached.repetitions.map(\.depth) == [0.9] && coached.repetitions[0].tempo?.concentric == 0.75)
        #expect(coached.faults.map(\.code) == ["shallow"] && coached.faults[0].joint == "leftKnee")
        #expect(coached.holds.map(\.end) == [9])
        #expect(coached.throwsMade.map(\.speedMph) == [20] && coached.throwsMade[0].number == 1)
        #expect(coached.pinches.map(\.hand) == [nil] && coached.segments.map(\.label) == [nil])
        let counted = try #require(try await store.sessions(mode: .count).first)
        #expect(counted.repetitions.map(\.confidence) == [0.75, 0] && counted.holds.isEmpty)
        #expect(counted.repetitions.map(\.end) == [2.5, 9])
    }

    @Test func `another program's database is not touched`() async throws {
        try await DatabaseQueue(path: file.path).write { try $0.execute(sql: "CREATE TABLE theirs (x)") }
        let before = try Data(contentsOf: file)
        let error = try await failure { _ = try HistoryStore(file) }
        #expect(error.message.contains("another program"))
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func `a folder in its place is told`() async throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let error = try await failure { _ = try HistoryStore(file) }
        #expect(error.code == .unwritableOutput && error.message.contains("is a folder"))
    }

    @Test func `a file as its folder is told`() async throws {
        try Data().write(to: folder.file("plain"))
        let inside = folder.file("plain/history.sqlite")
        var told: KinemaError?
        do { _ = try HistoryStore(inside) } catch { told = error }
        #expect(told?.code == .unwritableOutput && told?.file == inside.path)
    }

    @Test(arguments: [["history.sqlite"], ["history.sqlite", "history.sqlite-wal"], ["history.sqlite-wal"]])
    func `a history removed while it is open keeps nothing and reports it`(names: [String]) async throws {
        let store = try HistoryStore(file)
        try await store.add(.everything())
        for name in names { try FileManager.default.removeItem(at: folder.file(name)) }
        let error = try await failure { try await store.add(.everything(Date(timeIntervalSince1970: 5))) }
        #expect(error.code == .unwritableOutput && error.message.contains("replaced or removed"))
    }

    @Test func `a history that takes the place of an open one is not written to`() async throws {
        let other = try TemporaryFolder()
        try await HistoryStore(other.file("history.sqlite")).add(.everything())
        let before = try Data(contentsOf: other.file("history.sqlite"))
        let store = try HistoryStore(file)
        try await store.add(.everything())
        try FileManager.default.removeItem(at: file)
        try FileManager.default.copyItem(at: other.file("history.sqlite"), to: file)
        let error = try await failure { try await store.add(.everything(Date(timeIntervalSince1970: 5))) }
        #expect(error.code == .unwritableOutput && error.message.contains("replaced or removed"))
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func `an empty file becomes a history`() async throws {
        try Data().write(to: file)
        try await HistoryStore(file).add(.everything())
        #expect(try await HistoryStore(file).sessions().count == 1)
    }

    @Test func `a writer that never ends is told`() async throws {
        let store = try HistoryStore(file, patience: 0.2)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: file.path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let error = try await failure { try await store.add(.everything()) }
        #expect(error.message.contains("another program"))
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await store.add(.everything())
    }
}

/// A file system of some kilobytes, where the right to mount one is given.
final class TinyDisk {
    let folder: TemporaryFolder

    init(kilobytes: Int) throws {
        folder = try TemporaryFolder()
        try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.url.path])
    }

    func makeReadOnly() throws { try Self.run("mount", ["-o", "remount,ro", folder.url.path]) }

    deinit { try? Self.run("umount", ["-l", folder.url.path]) }

    private static func run(_ command: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw KinemaError(.unsupported, "\(command) failed") }
    }

    static let isAvailable = (try? TinyDisk(kilobytes: 64)) != nil
}

@Suite(.enabled(if: TinyDisk.isAvailable, "mounting a small file system is not allowed here"))
struct HistoryDiskTests {
    @Test func `a full disk is reported and stored sessions stay`() async throws {
        let disk = try TinyDisk(kilobytes: 600)
        let store = try HistoryStore(disk.folder.file("history.sqlite"))
        let first = StoredSession.everything()
        try await store.add(first)
        var large = StoredSession.everything(Date(timeIntervalSince1970: 5))
        var source = SystemRandomNumberGenerator()
        large.poses = Data((0..<2_000_000).map { _ in UInt8.random(in: 0...255, using: &source) })
        var told: KinemaError?
        do { try await store.add(large) } catch { told = error }
        #expect(told?.code == .unwritableOutput && told?.message.contains("disk is full") == true, "\(told as Any)")
        #expect(try await store.sessions() == [first])
        let next = StoredSession.everything(Date(timeIntervalSince1970: 6))
        try await store.add(next)
        #expect(try await HistoryStore(disk.folder.file("history.sqlite")).sessions() == [first, next])
    }

    @Test func `a session is on the disk before it is reported as kept`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        try await store.add(.everything())
        // 2 is FULL: the log is synchronised after each transaction, not only when it is folded into the file.
        let level = try await store.database.read { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") }
        #expect(level == 2)
    }

    @Test func `a read only folder is told at once`() throws {
        let disk = try TinyDisk(kilobytes: 600)
        try disk.makeReadOnly()
        let file = disk.folder.file("history.sqlite")
        let told = #expect(throws: KinemaError.self) { _ = try HistoryStore(file) }
        #expect(told?.code == .unwritableOutput && told?.message.contains("permissions") == true, "\(told as Any)")
    }

    @Test func `a history that may only be read is told at once`() async throws {
        let disk = try TinyDisk(kilobytes: 600)
        let file = disk.folder.file("history.sqlite")
        do {
            let store = try HistoryStore(file)
            try await store.add(.everything())
        }
        try disk.makeReadOnly()
        let told = #expect(throws: KinemaError.self) { _ = try HistoryStore(file) }
        #expect(told?.code == .unwritableOutput && told?.message.contains("permissions") == true, "\(told as Any)")
    }
}
