@testable import KinemaHistory
import Foundation
import GRDB
import Kinema
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

/// Archives from outside.
extension HistoryArchiveTests {
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

    private typealias Case = (what: String, files: [(String, Data)], words: String)

    private static func about(_ classifiers: String, version: Int = 1) -> (String, Data) {
        let json = #"{"format":"kinema-history","version":\#(version),"classifiers":[\#(classifiers)]}"#
        return ("kinema-history.json", Data(json.utf8))
    }

    private static var video: Data { Data("\0\0\0\u{20}ftypisom".utf8) + Data(repeating: 7, count: 500) }

    /// Sessions that no studio wrote.
    private static func sessions() throws -> [Case] {
        func replaced(_ old: String, _ new: String) throws -> Data {
            Data(String(decoding: try json(), as: UTF8.self).replacing(old, with: new).utf8)
        }
        let contents: [(what: String, json: Data, words: String)] = [
            ("cut", try json().prefix(50), "is not a session"),
            ("another id", try json { $0.id = UUID() }, "is not a session"),
            ("no time", try replaced("\"duration\":31.5", "\"duration\":1e300"), "invalid"),
            ("large number", try replaced("\"count\":2", "\"count\":9223372036854775807"), "invalid"),
            ("no mode", try replaced("\"mode\":\"coach\"", "\"mode\":\"dance\""), "is not a session"),
            ("bad mark", try json { $0.marks[0].label = "" }, "label"),
            ("bad correction", try json { $0.corrections?[0].end = 99 }, "end"),
            ("long note", try json { $0.note = String(repeating: "n", count: 501) }, "note"),
            ("bad plan", try json { $0.plan?.set = 101 }, "invalid"),
            ("script", try json { $0.drawing = "<svg><SCRIPT>1</SCRIPT></svg>" }, "invalid"),
            ("page", try json { $0.drawing = "<html></html>" }, "invalid"),
            ("handler", try json { $0.drawing = "<svg onload=\"alert(1)\"></svg>" }, "invalid"),
            ("another's element", try json { $0.drawing = "<svg><h:iframe/></svg>" }, "invalid"),
            ("leads elsewhere", try json { $0.drawing = "<svg><use href='http://a.example/b'/></svg>" }, "invalid"),
            ("long label", try json { $0.segments[0].label = String(repeating: "L", count: 400) }, "invalid"),
            ("hidden letters", try json { $0.segments[0].label = "a\u{202E}b" }, "invalid"),
            ("ends before it begins", try replaced("\"duration\":31.5", "\"duration\":-1"), "needs times"),
            ("fewer than none", try replaced("\"count\":2", "\"count\":-2"), "invalid"),
            ("long ago", try json { $0.date = Date(timeIntervalSince1970: -5_000_000_000) }, "invalid"),
            ("exercise", try json { $0.exercise = "a\nb" }, "invalid"),
            ("large", Data(repeating: 0x20, count: 17 << 20), "too large"),
        ]
        return contents.map { ($0.what, [about(""), ("sessions/\(id).json", $0.json)], $0.words) }
    }

    /// Files that have no place in a history.
    private static func names() throws -> [Case] {
        let names = [
            "../../evil", "videos/../../\(id).mp4", "/etc/passwd", "..\\evil", "a\u{1B}[31m\nb", "videos/\(id).mp4",
            "sessions/\(id.uuidString.lowercased()).json", "sessions/", "poses/\(id).jsonl",
            "classifiers/studio-a.model",
        ]
        return names.map { ($0, [about(""), ($0, video)], "not part of a history") }
    }

    /// Other parts that are not what they say.
    private static func parts() throws -> [Case] {
        let (good, name, model) = (about(""), "sessions/\(id).json", #"{"id":"studio-a","name":"a"}"#)
        func poses(_ bytes: [UInt8]) throws -> [(String, Data)] {
            [good, (name, try json()), ("poses/\(id).jsonl.gz", Data(bytes))]
        }
        return [
            ("no description", [(name, try json())], "is missing"),
            ("another's", [("kinema-history.json", Data("{}".utf8))], "invalid"),
            ("newer", [about("", version: 3)], "newer"),
            (
                "no video", [good, (name, try json()), ("videos/\(id).mp4", Data("<html>".utf8))],
                "not a video of that type"
            ),
            ("another kind", [good, (name, try json()), ("videos/\(id).webm", video)], "not a video of that type"),
            ("no gzip", try poses(Array(lines)), "damaged"),
            ("no poses", try poses(Gzip.pack(Array("{}\n".utf8))), "line 1"),
            ("nothing but lines", try poses(Gzip.pack([UInt8](repeating: 0x0A, count: 2000))), "empty lines"),
            ("a bomb", try poses(Gzip.pack([UInt8](repeating: 0x20, count: 300 << 20))), "unpacks to more than"),
            ("an absent classifier", [about(model)], "classifier"),
            (
                "a classifier's path",
                [about(#"{"id":"studio-../a","name":"a"}"#), ("classifiers/studio-../a.model", Data())], "classifier"
            ),
            ("no classifier", [about(model), ("classifiers/studio-a.model", Data("{}".utf8))], "not a classifier"),
            ("many", [about(Array(repeating: model, count: 101).joined(separator: ","))], "too many"),
        ]
    }

    @Test func `one invalid part rejects the whole archive`() async throws {
        for (what, files, words) in try Self.sessions() + Self.names() + Self.parts() {
            // With a good session, which has to stay out as well.
            let other = UUID()
            let good = ("sessions/\(other).json", try Self.json { $0.id = other })
            try make(files + [good], packed: Set(files.map(\.0).filter { $0.hasPrefix("videos/") }))
            let told = try await refusal(what)
            #expect(told.contains(words), "\(what): \(told)")
        }
    }

    @Test func `emptiness packed tightly is bounded over all files together`() async throws {
        var files = [Self.about("")]
        let empty = Array(String(repeating: #"{"time":0}"# + "\n", count: 800_000).utf8)
        for _ in 0..<3 {
            let other = UUID()
            files.append(("sessions/\(other).json", try Self.json { $0.id = other }))
            files.append(("poses/\(other).jsonl.gz", Data(Gzip.pack(empty))))
        }
        try make(files)
        _ = try await refusal("three files of nothing")
    }

    @Test
    func `classifiers of which no row knows go at the next start, and no more are taken in than there is room for`()
        async throws
    {
        let store = try await full("one").store
        try await store.exportAll(to: archive, withVideos: false)
        let known = try await store.classifierEntries()
        try #require(!known.isEmpty)
        let stray = store.classifiers.url.appending(path: "studio-left.model")
        try Data("{}".utf8).write(to: stray)
        try await store.removeStrays()
        #expect(!FileManager.default.fileExists(atPath: stray.path))
        #expect(known.allSatisfy { FileManager.default.fileExists(atPath: store.classifierFile($0.id).path) })
        let crowded = try HistoryStore(folder.file("crowded.sqlite"), limit: 50_000_000)
        try await crowded.perform { db in
            for number in 0..<StudioLimits().classifiers {
                try HistoryStore.insertClassifier(.init(id: "studio-\(number)", name: "n"), bytes: 1, db)
            }
        }
        await #expect(throws: KinemaError.self) { try await crowded.importAll(from: archive) }
        #expect(try await crowded.sessions().isEmpty)
    }

    @Test func `damage anywhere is reported or harmless`() async throws {
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
        try make([Self.about(""), ("sessions/\(Self.id).json", try Self.json())])
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
        let large = try HistoryStore(folder.file("large.sqlite"))
        _ = try await large.importAll(from: archive)
        let size = try await large.database.read { try HistoryFile.size($0) }
        // A byte is missing for what comes last, the classifier: then the video is there already.
        let small = try HistoryStore(folder.file("two.sqlite"), limit: size - 1)
        var told: KinemaError?
        do { _ = try await small.importAll(from: archive) } catch { told = error }
        #expect(told?.code == .unwritableOutput && told?.message.contains("--history-limit") == true)
        #expect(try await small.sessions().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("two.videos").path).isEmpty)
    }

    /// The archive of ``make(_:packed:)`` with some bytes changed, opened.
    private func reader(_ change: (inout Data) throws -> Void) throws -> ZipReader {
        var bytes = try Data(contentsOf: archive)
        try change(&bytes)
        try bytes.write(to: archive)
        return try ZipReader(FileHandle(forReadingFrom: archive), size: bytes.count, path: "archive")
    }

    @Test func `two names for the same bytes are refused`() throws {
        try make([("aaaa", Self.video), ("bbbb", Self.video)])
        #expect(try reader { _ in }.entries.map(\.name) == ["aaaa", "bbbb"])
        #expect(throws: KinemaError.self) {
            _ = try reader { bytes in
                let mark = Data([0x50, 0x4B, 1, 2])
                let first = try #require(bytes.range(of: mark)).lowerBound
                let second = try #require(bytes.range(of: mark, in: first + 4..<bytes.count)).lowerBound
                bytes.replaceSubrange(second + 42..<second + 46, with: [0, 0, 0, 0])
            }
        }
    }

    @Test func `a changed byte is found in what is not packed as well`() throws {
        try make([("aaaa", Self.video)], packed: ["aaaa"])
        let whole = try reader { _ in }
        #expect(try Data(whole.content(whole.entries[0], atMost: 1_000)) == Self.video)
        #expect(throws: KinemaError.self) { _ = try whole.content(whole.entries[0], atMost: 100) }
        let changed = try reader { $0[100] ^= 1 }
        #expect(throws: KinemaError.self) { _ = try changed.content(changed.entries[0], atMost: 1_000) }
        let target = folder.file("copy")
        _ = FileManager.default.createFile(atPath: target.path, contents: nil)
        let file = try FileHandle(forWritingTo: target)
        #expect(throws: KinemaError.self) { try changed.copy(changed.entries[0], to: file, at: "copy") }
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
