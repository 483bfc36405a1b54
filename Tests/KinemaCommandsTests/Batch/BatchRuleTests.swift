import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

@testable import KinemaCommands

/// The rules of a batch and of jobs, on numbers.
struct BatchRuleTests {
    @Test(
        arguments: [
            // One more as long as that pays, then the best.
            (2, [100, 150, 152], 2, [1, 2, 3]), (2, [100, 101], 1, [1, 2]), (2, [100, 150, 200], 3, [1, 2, 3]),
            // Many processors are not tried one by one.
            (64, [1000, 1200, 1210], 40, [32, 40, 50]),
        ] as [(Int, [Double], Int, [Int])])
    func `as many videos at once as bring more frames`(
        processors: Int, rates: [Double], best: Int, tried: [Int]
    ) {
        var tuning = WorkerTuning(nil, processors: processors)
        for rate in rates {
            #expect(!tuning.isSettled)
            tuning.take(rate: rate)
        }
        #expect(tuning.isSettled)
        #expect(tuning.workers == best)
        #expect(tuning.measures.map(\.workers) == tried)
        #expect(tuning.summary?.hasPrefix("\(best) at once is best here: \(tried[0]) at once gave ") == true)
    }

    @Test func `a given number is not measured, and memory is a limit`() {
        #expect(WorkerTuning(7, processors: 2).isSettled)
        #expect(WorkerTuning(7, processors: 2).workers == 7)
        #expect(WorkerTuning(nil, processors: 64, memory: 2 << 30).workers == 4)
        #expect(WorkerTuning(nil, processors: 64, memory: 1 << 20).workers == 1)
    }

    @Test(
        arguments: [
            (0.5, 2.0, nil), (0.0, 60.0, nil), (1.0, 60.0, nil), (0.5, 30.0, "30 s left"), (0.25, 60.0, "3 min left"),
            (0.5, 7200.0, "2 h left"), (0.4, 3600.0, "1 h 30 min left"), (0.01, 7200.0, "8 days left"),
        ] as [(Double, Double, String?)])
    func `the time left follows from the bytes that are done`(share: Double, seconds: Double, text: String?) {
        #expect(BatchMeter.left(share: share, after: .seconds(seconds)) == text)
    }

    @Test func `a video's frames are counted once`() {
        let meter = BatchMeter(videos: 2, bytes: 100)
        meter.begin("a", bytes: 50)
        for frames in [1, 5, 9] { meter.note("a", frames: frames, of: 10) }
        meter.end("a", failed: false)
        meter.begin("b", bytes: 50)
        meter.note("b", frames: 3, of: nil)
        meter.note("c", frames: 100, of: nil)
        #expect(meter.frames == 12)
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n\n \r\nb\n", ["a", "b"]), ("aaaaaaaaaa\nb\naaaaaaaaaaa", ["-", "b", "-"]),
    ])
    func `lines are read up to a length`(text: String, lines: [String]) async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        let reader = JobLinesHandle(pipe.fileHandleForReading.fileDescriptor, longest: 9)
        var found: [String] = []
        while let line = await reader.next(until: { false }) {
            switch line {
            case .text(let bytes): found.append(String(decoding: bytes, as: UTF8.self))
            case .tooLong: found.append("-")
            }
        }
        #expect(found == lines)
    }

    @Test func `a link of the name of an unfinished result is not written through`() throws {
        let folder = try TemporaryFolder()
        let (other, result) = (folder.file("other"), folder.file("clip.json"))
        try Data("kept".utf8).write(to: other)
        for name in [".clip.json.partial", ".kinema-batch.lock"] {
            try FileManager.default.createSymbolicLink(at: folder.file(name), withDestinationURL: other)
        }
        try ResultFileHandle.write(to: result) { try $0.write(Array("{}".utf8)) }
        #expect(try String(contentsOf: result, encoding: .utf8) == "{}")
        let lock = folder.file(".kinema-batch.lock").path
        #expect(throws: KinemaError.self) { try FileLockHandle(lock, of: lock) }
        #expect(try String(contentsOf: other, encoding: .utf8) == "kept")
    }

    @Test func `half a line that a killed run left does not spoil the next one`() throws {
        let folder = try TemporaryFolder()
        try Data("{\"source\":\"/clips/a.mp4\",\"sta".utf8).write(to: folder.file(BatchManifest.name))
        var manifest = try BatchManifest(reading: folder.url)
        try manifest.add(BatchManifest.Entry(source: "/clips/b.mp4", status: .done, seconds: 1, options: "count"))
        #expect(try BatchManifest(reading: folder.url).entries.keys.sorted() == ["/clips/b.mp4"])
    }

    @Test func `every video has a result of its own that can be created`() throws {
        let folder = try TemporaryFolder()
        // 250 bytes: a name of a file, but not with an ending.
        let names = ["manifest", "deep/" + String(repeating: "ü", count: 123) + ".mp4", "a.mp4"]
        let plan = BatchPlan(
            names.map { BatchInput(path: "/clips/\($0)", name: $0) }, ending: "jsonl", options: "pose",
            manifest: try BatchManifest(reading: folder.url),
            journal: BatchJournal(in: folder.url, takesUp: false, keepsParts: false), folder: folder.url)
        let results = plan.items.map(\.result)
        #expect(results[0] == "manifest-\(BatchPlan.mark("/clips/manifest")).jsonl")
        #expect(results[1].hasPrefix("deep/ü") && results[2] == "a.mp4.jsonl")
        for result in results { try ResultFileHandle.write(to: folder.file(result)) { try $0.write([]) } }
    }

    @Test func `a failure is one line whatever a file says`() {
        let error = KinemaError(.unreadableInput, "\"a\nb\u{1B}[2J\" is unknown", file: "c\nd")
        let (line, status) = JobRunner.failure(error, "/x")
        #expect(line == #"c\nd: "a\nb\u{1B}[2J" is unknown"# && status == .unreadableInput)
    }

    @Test func `a fingerprint sees both ends of a file and its size`() throws {
        let folder = try TemporaryFolder()
        var seen: Set<String> = []
        let size = 3 << 20
        for (changed, length) in [(0, size), (size - 1, size), (-1, size), (-1, size + 1), (-1, 0)] {
            var bytes = Data(count: length)
            if changed >= 0 { bytes[changed] = 1 }
            try bytes.write(to: folder.file("film"))
            seen.insert(try ContentDigest.fingerprint(of: folder.file("film")))
        }
        #expect(seen.count == 5)
    }

    @Test func `a file's digest is that of its bytes`() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Data(bytes).write(to: folder.file("a"))
        #expect(try ContentDigest.sha256(contentsOf: folder.file("a")) == ContentDigest.sha256(of: bytes))
        #expect(
            ContentDigest.sha256(of: Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(throws: (any Error).self) { try ContentDigest.sha256(contentsOf: folder.url) }
    }
}
