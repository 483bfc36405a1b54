import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

@Suite struct VideoReaderTests {
    let clips: Clips

    init() throws {
        clips = try Clips()
    }

    func film(frames: Int = 60) throws -> URL {
        try clips.make(
            "film.mp4", "-f lavfi -i testsrc2=s=320x240:r=30 -frames:v \(frames) -c:v libx264 -preset ultrafast")
    }

    @Test
    func `The sequence describes the file`() async throws {
        let url = try film()
        let frames = try await VideoReader.read(contentsOf: url)
        #expect(frames.count == nil)
        #expect(frames.frameSize == CGSize(width: 320, height: 240))
        #expect(frames.nominalFrameRate == 30)
        #expect(frames.timescale == 15360)
        #expect(frames.url == url)
        #expect(frames.videoDuration.seconds == 2)
        #expect(frames.expectedFrameCount == 60)
    }

    @Test
    func `A second iteration throws and says why`() async throws {
        let frames = try await VideoReader.read(contentsOf: try film())
        var count = 0
        for try await _ in frames { count += 1 }
        #expect(count == 60)
        let error = await #expect(throws: KinemaError.self) { for try await _ in frames {} }
        #expect(error?.code == .invalidArgument && error?.message.contains("already been iterated") == true)
    }

    @Test
    func `Decoding stays a bounded number of frames ahead and loses none`() async throws {
        let url = try film(frames: 40)
        let options = ReadingOptions(framesAhead: 4)
        let frames = try await VideoReader.open(.file(url), options: options, keepsOpen: true)
        var iterator = frames.makeAsyncIterator()
        var starts = [try await iterator.next()?.id.range.lowerBound]
        try await Task.sleep(for: .milliseconds(300))
        // One was taken, four wait.
        #expect(frames.tally.arrived <= 5, "\(frames.tally.arrived)")
        while let frame = try await iterator.next() { starts.append(frame.id.range.lowerBound) }
        #expect(starts == (0..<40).map { $0 * 512 })
    }

    @Test
    func `Cancelling ends the decoding and frees the frames`() async throws {
        let url = try film(frames: 3000)
        let watch = Watch()
        let task = Task {
            let frames = try await VideoReader.read(contentsOf: url)
            watch.job = frames.job
            var count = 0
            for try await _ in frames {
                count += 1
                if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await expectGone(watch)
    }

    @Test
    func `Leaving the loop ends the decoding`() async throws {
        let url = try film(frames: 3000)
        let watch = Watch()
        func readSome() async throws {
            let frames = try await VideoReader.read(contentsOf: url)
            watch.job = frames.job
            for try await frame in frames where frame.feature.time > 0.5 { break }
        }
        try await readSome()
        try await expectGone(watch)
    }

    /// The job dies with its thread, so its absence shows that the thread has ended and its frames are free.
    func expectGone(_ watch: Watch) async throws {
        try await waits { watch.job == nil }
    }

    // SAFETY: written once before it is read, by tasks that run one after the other.
    final class Watch: @unchecked Sendable {
        weak var job: DecodingJob?
    }

    @Test
    func `Several files are read one after the other without staying open`() async throws {
        let urls = [try film(), try clips.make("picture.png", "-f lavfi -i testsrc2=s=64x48 -frames:v 1")]
        let sequences = try await VideoReader.read(urls)
        var counts: [Int] = []
        for frames in sequences {
            var count = 0
            for try await _ in frames { count += 1 }
            counts.append(count)
        }
        #expect(counts == [60, 1])
        await #expect(throws: KinemaError.self) { try await VideoReader.read([urls[0], clips.url("missing.mp4")]) }
    }

    @Test
    func `A picture is one frame of one second, by the full path`() async throws {
        for name in ["one.png", "one.jpg", "one.webp"] {
            let url = try clips.make(name, "-f lavfi -i testsrc2=s=64x48 -frames:v 1")
            let frames = try await VideoReader.read(contentsOf: url)
            #expect(frames.expectedFrameCount == 1 && frames.nominalFrameRate == 0)
            for try await frame in frames {
                #expect(frame.id == TemporalSegmentIdentifier(source: url.path, range: 0..<1, timescale: 1))
                #expect(frame.feature.id == frame.id)
            }
        }
    }

    @Test
    func `A GIF is a video with its own times`() async throws {
        let url = try clips.make("moving.gif", "-f lavfi -i testsrc2=s=64x48:r=10 -frames:v 5")
        var times: [Double] = []
        for try await frame in try await VideoReader.read(contentsOf: url) { times.append(frame.feature.time) }
        #expect(times == [0, 0.1, 0.2, 0.3, 0.4])
    }

    @Test(arguments: ["mkv", "mp4"])
    func `A named pipe is read, also an MP4 with its index at the end; a silent one can be cancelled`(kind: String)
        async throws
    {
        let url = clips.url("pipe")
        #expect(mkfifo(url.path, 0o600) == 0)
        let film = try clips.make("film.\(kind)", "-f lavfi -i testsrc2=s=64x48:r=30 -frames:v 30 -c:v libx264")
        let data = try Data(contentsOf: film)
        let reading = Task {
            var count = 0
            for try await _ in try await VideoReader.read(contentsOf: url) { count += 1 }
            return count
        }
        Thread.detachNewThread {
            guard let writer = FileHandle(forWritingAtPath: url.path) else { return }
            try? writer.write(contentsOf: data)
            try? writer.close()
        }
        #expect(try await reading.value == 30)
        let waiting = Task { try await VideoReader.read(contentsOf: url) }
        try await Task.sleep(for: .milliseconds(100))
        waiting.cancel()
        await #expect(throws: (any Error).self) { try await waiting.value }
    }
}
