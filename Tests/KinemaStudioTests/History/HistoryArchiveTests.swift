@testable import KinemaHistory
import Foundation
import GRDB
import Kinema
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// The history as one file, and such files from outside.
@Suite(.timeLimit(.minutes(5))) struct HistoryArchiveTests {
    let folder: TemporaryFolder
    var archive: URL { folder.file("all.zip") }

    init() throws { folder = try TemporaryFolder() }

    static let lines = Data(
        (#"{"frame":0,"time":0,"people":[],"hands":[],"width":640,"height":480}"# + "\n").utf8)

    /// A history with a session that has everything, one with nothing added, and a classifier.
    func full(_ name: String) async throws -> (store: HistoryStore, sessions: [StoredSession]) {
        let store = try HistoryStore(folder.file("\(name).sqlite"))
        var rich = StoredSession.everything()
        rich.poses = Self.lines
        var bare = StoredSession.everything(Date(timeIntervalSince1970: 5))
        (bare.corrections, bare.marks, bare.note, bare.plan) = (nil, [], "", nil)
        (bare.details, bare.turn) = (nil, nil)
        for session in [rich, bare] { try await store.add(session) }
        let clip = folder.file("clip")
        try (Data("\0\0\0\u{20}ftypisom".utf8) + Data(repeating: 7, count: 5_000)).write(to: clip)
        rich.video = try await store.keepVideo(rich.id, copying: clip)
        _ = try await store.addClassifier(try ClassifyModeTests.model(), name: "mine", taken: [])
        return (store, [rich, bare])
    }

    @Test(arguments: [true, false])
    func `everything comes back from its archive and once only`(withVideos: Bool) async throws {
        let (store, sessions) = try await full("one")
        try await store.exportAll(to: archive, withVideos: withVideos)
        let other = try HistoryStore(folder.file("two.sqlite"))
        #expect(try await other.importAll(from: archive) == ImportResult(added: 2, known: 0))
        var rich = sessions[0]
        if !withVideos { rich.video = nil }
        #expect(try await other.session(rich.id) == rich)
        #expect(try await other.session(rich.id)?.poses == Self.lines)
        #expect(try await other.session(sessions[1].id) == sessions[1])
        if withVideos {
            let video = try #require(try await other.video(rich.id))
            let source = try #require(try await store.video(rich.id))
            #expect(try Data(contentsOf: video) == Data(contentsOf: source))
            let mode = try FileManager.default.attributesOfItem(atPath: video.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        let library = ClassifierLibrary(other)
        try await library.load()
        #expect(library.all.map(\.name) == ["mine"])
        // What was changed meanwhile is left alone.
        _ = try await other.annotate(rich.id, .note("changed"))
        #expect(try await other.importAll(from: archive) == ImportResult(added: 0, known: 2))
        #expect(try await other.session(rich.id)?.note == "changed")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!left.contains { $0.hasPrefix("part-") })
    }

    @Test func `the archive is one for others too`() async throws {
        try await full("one").store.exportAll(to: archive, withVideos: true)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["unzip", "-tq", archive.path]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func `after everything is deleted nothing of it is left`() async throws {
        let (store, _) = try await full("one")
        #expect(try await store.deleteAll() == 2)
        #expect(try await store.sessions().isEmpty)
        for name in ["one.videos", "one.classifiers"] {
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file(name).path).isEmpty)
        }
        for name in ["one.sqlite", "one.sqlite-wal"] {
            #expect(try Data(contentsOf: folder.file(name)).range(of: Data("felt easy".utf8)) == nil)
        }
        try await store.add(.everything())
    }
}
