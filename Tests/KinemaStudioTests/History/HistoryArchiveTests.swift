import Foundation
import GRDB
import Kinema
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// The history as one file, and such files from outside.
@Suite(.timeLimit(.minutes(5))) struct HistoryArchiveTests {
    private let folder: TemporaryFolder
    private var archive: URL { folder.file("all.zip") }

    init() throws { folder = try TemporaryFolder() }

    private static let lines = Data(
        (#"{"frame":0,"time":0,"people":[],"hands":[],"width":640,"height":480}"# + "\n").utf8)

    /// A history with a session that has everything, one with nothing added, and a classifier.
    private func full(_ name: String) async throws -> (store: HistoryStore, sessions: [StoredSession]) {
        let store = try HistoryStore(folder.file("\(name).sqlite"))
        var rich = StoredSession.everything()
        rich.poses = Self.lines
        var bare = StoredSession.everything(Date(timeIntervalSince1970: 5))
        (bare.corrections, bare.marks, bare.note, bare.plan) = (nil, [], "", nil)
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
        let shelf = ClassifierShelf(other)
        try await shelf.load()
        #expect(shelf.all.map(\.name) == ["mine"])
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

    // MARK: From outside

    private static let about = Data(#"{"format":"kinema-history","version":1,"classifiers":[]}"#.utf8)
    private static let id = UUID()

    private static func json(_ change: (inout StoredSession) -> Void = { _ in }) throws -> Data {
        var session = StoredSession.everything()
        session.id = id
        session.poses = nil
        change(&session)
        return try session.json()
    }

    /// An archive of these files.
    private func make(_ files: [(String, Data)], packed: Set<String> = []) throws {
        _ = FileManager.default.createFile(atPath: archive.path, contents: nil)
        let handle = try FileHandle(forWritingTo: archive)
        try handle.truncate(atOffset: 0)
        var zip = ZipFileWriter(handle)
        for (name, content) in files { try zip.add(content, name: name, isPacked: packed.contains(name)) }
        _ = try zip.finish()
        try handle.close()
    }

    /// Expects that nothing of the archive is kept, and returns the one line that says why.
    private func refusal(_ what: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let store = try HistoryStore(folder.file("two.sqlite"), limit: 50_000_000)
        var told: KinemaError?
        do { _ = try await store.importAll(from: archive) } catch { told = error }
        #expect(told?.code == .unreadableInput, "\(what): \(told as Any)", sourceLocation: sourceLocation)
        #expect(told?.message.contains("\n") == false, sourceLocation: sourceLocation)
        #expect(try await store.sessions().isEmpty, sourceLocation: sourceLocation)
        for name in ["two.videos", "two.classifiers"] {
            let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.file(name).path)) ?? []
            #expect(left.isEmpty, "\(what)", sourceLocation: sourceLocation)
        }
        return told?.message ?? ""
    }

    @Test func `a part that makes no sense keeps all the others out`() async throws {
        let (about, id) = (("kinema-history.json", Self.about), Self.id)
        let good = ("sessions/\(UUID()).json", try Self.json())
        let name = "sessions/\(id).json"
        let video = Data("\0\0\0\u{20}ftypisom".utf8) + Data(repeating: 7, count: 500)
        func replaced(_ old: String, _ new: String) throws -> Data {
            Data(String(decoding: try Self.json(), as: UTF8.self).replacing(old, with: new).utf8)
        }
        let cases: [(what: String, files: [(String, Data)], words: String)] = [
            ("no description", [(name, try Self.json())], "is missing"),
            ("another's", [("kinema-history.json", Data("{}".utf8))], "no sense"),
            (
                "newer",
                [("kinema-history.json", Data(#"{"format":"kinema-history","version":2,"classifiers":[]}"#.utf8))],
                "newer"
            ),
            ("another id", [about, good], "is no session"),
            ("cut", [about, (name, try Self.json().prefix(50))], "is no session"),
            ("no time", [about, (name, try replaced("\"duration\":31.5", "\"duration\":1e300"))], "corrections"),
            (
                "large number", [about, (name, try replaced("\"count\":2", "\"count\":9223372036854775807"))],
                "cannot be read"
            ),
            ("no mode", [about, (name, try replaced("\"mode\":\"coach\"", "\"mode\":\"dance\""))], "is no session"),
            ("bad mark", [about, (name, try Self.json { $0.marks[0].label = "" })], "label"),
            ("bad correction", [about, (name, try Self.json { $0.corrections?[0].end = 99 })], "end"),
            ("long note", [about, (name, try Self.json { $0.note = String(repeating: "n", count: 501) })], "note"),
            ("bad plan", [about, (name, try Self.json { $0.plan?.set = 101 })], "no sense"),
            ("script", [about, (name, try Self.json { $0.drawing = "<svg><SCRIPT>1</SCRIPT></svg>" })], "no sense"),
            ("page", [about, (name, try Self.json { $0.drawing = "<html></html>" })], "no sense"),
            ("up", [about, ("../../evil", Data())], "no part of a history"),
            ("up in a folder", [about, ("videos/../../\(id).mp4", video)], "no part of a history"),
            ("absolute", [about, ("/etc/passwd", Data())], "no part of a history"),
            ("back", [about, ("..\\evil", Data())], "no part of a history"),
            ("control", [about, ("a\u{1B}[31m\nb", Data())], "no part"),
            ("orphan", [about, ("videos/\(id).mp4", video)], "no part of a history"),
            (
                "small letters", [about, ("sessions/\(id.uuidString.lowercased()).json", try Self.json())],
                "no part of a history"
            ),
            ("no video", [about, (name, try Self.json()), ("videos/\(id).mp4", Data("<html>".utf8))], "no such video"),
            ("another kind", [about, (name, try Self.json()), ("videos/\(id).webm", video)], "no such video"),
            ("no gzip", [about, (name, try Self.json()), ("poses/\(id).jsonl.gz", Self.lines)], "damaged"),
            (
                "no poses",
                [about, (name, try Self.json()), ("poses/\(id).jsonl.gz", Data(Gzip.pack(Array("{}\n".utf8))))],
                "line 1"
            ),
            (
                "a bomb",
                [
                    about, (name, try Self.json()),
                    ("poses/\(id).jsonl.gz", Data(Gzip.pack([UInt8](repeating: 0x20, count: 300 << 20)))),
                ], "unpacks to more than"
            ),
            ("a large session", [about, (name, Data(repeating: 0x20, count: 17 << 20))], "too large"),
            (
                "no such classifier",
                [
                    (
                        "kinema-history.json",
                        Data(
                            #"{"format":"kinema-history","version":1,"classifiers":[{"id":"studio-a","name":"a"}]}"#
                                .utf8)
                    )
                ], "classifier"
            ),
            (
                "a classifier's path",
                [
                    (
                        "kinema-history.json",
                        Data(
                            #"{"format":"kinema-history","version":1,"classifiers":[{"id":"studio-../a","name":"a"}]}"#
                                .utf8)
                    ), ("classifiers/studio-../a.model", Data()),
                ], "classifier"
            ),
            (
                "no classifier",
                [
                    (
                        "kinema-history.json",
                        Data(
                            #"{"format":"kinema-history","version":1,"classifiers":[{"id":"studio-a","name":"a"}]}"#
                                .utf8)
                    ), ("classifiers/studio-a.model", Data("{}".utf8)),
                ], "not a classifier"
            ),
        ]
        for (what, files, words) in cases {
            // With a good session before, which has to stay out as well.
            let other = UUID()
            let first = ("sessions/\(other).json", try Self.json { $0.id = other })
            try make(
                files + (files.count > 1 ? [first] : []), packed: Set(files.map(\.0).filter { $0.hasPrefix("videos/") })
            )
            let told = try await refusal(what)
            #expect(told.contains(words), "\(what): \(told)")
        }
    }

    @Test func `damage anywhere is told or does no harm`() async throws {
        try await full("one").store.exportAll(to: archive, withVideos: true)
        let whole = try Data(contentsOf: archive)
        var generator = SeededGenerator(seed: 7)
        for round in 0..<120 {
            var bytes = whole
            switch round % 3 {
            case 0: bytes = bytes.prefix(Int.random(in: 0..<whole.count, using: &generator))
            case 1:
                // In the directory and its end, where sizes and offsets are.
                for _ in 0..<3 {
                    bytes[whole.count - 1 - Int.random(in: 0..<500, using: &generator)] = .random(
                        in: 0...255, using: &generator)
                }
            default:
                for _ in 0..<3 {
                    bytes[Int.random(in: 0..<whole.count, using: &generator)] = .random(in: 0...255, using: &generator)
                }
            }
            try bytes.write(to: archive)
            let name = "damaged-\(round)"
            let store = try HistoryStore(folder.file("\(name).sqlite"), limit: 50_000_000)
            do {
                let result = try await store.importAll(from: archive)
                #expect(try await store.sessions().count == result.added)
            } catch {
                #expect(!error.message.contains("\n"))
                #expect(try await store.sessions().isEmpty)
            }
        }
    }

    @Test func `files that share bytes or lie outside are refused`() async throws {
        try make([("kinema-history.json", Self.about), ("sessions/\(Self.id).json", try Self.json())])
        let whole = try Data(contentsOf: archive)
        let start = try #require(whole.range(of: Data([0x50, 0x4B, 1, 2]))).lowerBound
        let second = try #require(whole.range(of: Data([0x50, 0x4B, 1, 2]), in: start + 4..<whole.count)).lowerBound
        let changes: [(String, Int, [UInt8])] = [
            ("the same place", second + 42, [0, 0, 0, 0]), ("beyond the end", second + 42, [0xFF, 0xFF, 0xFF, 0x7F]),
            ("encrypted", second + 8, [1, 8]), ("another method", second + 10, [12, 0]),
            ("a size that is none", second + 24, [0xFF, 0xFF, 0xFF, 0xFF]),
            ("more than there is", second + 20, [0xFF, 0xFF, 0xFF, 0]),
            ("another sum", second + 16, [1, 2, 3, 4]),
            ("many files", whole.count - 12, [0xFE, 0xFF]), ("a directory elsewhere", whole.count - 6, [0, 0, 0, 0]),
        ]
        for (what, place, bytes) in changes {
            var changed = whole
            changed.replaceSubrange(place..<place + bytes.count, with: bytes)
            try changed.write(to: archive)
            _ = try await refusal(what)
        }
        for (what, bytes) in [
            ("nothing", Data()), ("text", Data("PK".utf8)),
            ("an empty archive", Data([0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18))),
        ] {
            try bytes.write(to: archive)
            _ = try await refusal(what)
        }
    }

    @Test func `what does not fit is not begun`() async throws {
        let (store, _) = try await full("one")
        try await store.exportAll(to: archive, withVideos: true)
        let small = try HistoryStore(folder.file("two.sqlite"), limit: 90_000)
        var told: KinemaError?
        do { _ = try await small.importAll(from: archive) } catch { told = error }
        #expect(told?.code == .unwritableOutput && told?.message.contains("--history-limit") == true)
        #expect(try await small.sessions().isEmpty)
    }
}

/// The same numbers in every run (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
