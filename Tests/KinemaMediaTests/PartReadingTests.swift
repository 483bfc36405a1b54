import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

@Suite struct PartReadingTests {
    let clips: Clips

    init() throws { clips = try Clips() }

    private static let source = "-f lavfi -i testsrc2=s=160x120:r=30 -t 6"

    /// Film names with their encodings: frames out of order, open groups, other codecs and containers, uneven times.
    private static let films = [
        ("plain.mp4", "-c:v libx264 -g 60 -bf 3"),
        ("open.mp4", "-c:v libx264 -x264-params keyint=45:open-gop=1:bframes=3"),
        ("h265.mp4", "-c:v libx265 -x265-params log-level=error:keyint=50"), ("long.mkv", "-c:v libx264 -g 90 -bf 2"),
        ("vp8.webm", "-c:v libvpx -g 40 -b:v 200k"), ("xvid.avi", "-c:v mpeg4 -g 48"),
        ("uneven.mp4", "-vf select=mod(n\\,7) -fps_mode vfr -c:v libx264 -g 40 -bf 2"),
        ("late.mp4", "-c:v libx264 -g 60 -bf 2 -output_ts_offset 3.2"),
        ("pictures.mov", "-c:v mjpeg"),
    ]

    private static func read(_ next: () throws -> VideoFrame?) throws -> [String: Range<Int>] {
        var frames: [String: Range<Int>] = [:]
        while let frame = try next() {
            frames[ContentDigest.sha256(of: try frame.bitmap().pixels)] = frame.id.range
        }
        return frames
    }

    @Test(arguments: films) func `a part has the pictures and times of the whole`(name: String, encoding: String)
        async throws
    {
        let url = try clips.make(name, "\(Self.source) \(encoding)")
        let whole = try Self.read(VideoDecoder(url).next)
        let frames = try await VideoReader.read(contentsOf: url)
        #expect(frames.canBeParted)
        let keys = await frames.keyTimes()
        #expect(keys.count >= 2 && keys == keys.sorted() && keys.allSatisfy { $0 < 6.1 }, "\(keys)")
        for begin in [0, 0.7, 3.3, 5.9] {
            let part = try Self.read(frames.part(from: begin, isStrict: true, isReported: false).next)
            let expected = whole.filter { Double($0.value.lowerBound) >= (begin * Double(frames.timescale)).rounded() }
            #expect(part == expected, "\(name) from \(begin): \(part.count) of \(expected.count) frames")
        }
    }

    @Test func `a part past the end is empty`() async throws {
        let url = try clips.make("short.mp4", "\(Self.source) -c:v libx264")
        let reader = try await VideoReader.read(contentsOf: url).part(from: 60, isStrict: true, isReported: false)
        #expect(try reader.next() == nil)
    }

    @Test func `a file without a list of key frames has none`() async throws {
        for name in ["stream.ts", "stream.h264"] {
            let url = try clips.make(name, "\(Self.source) -c:v libx264 -g 30")
            let keys = try await VideoReader.read(contentsOf: url).keyTimes()
            #expect(keys == [], "\(name)")
        }
    }

    @Test func `a strict part throws at damage, another reports it`() async throws {
        let url = try clips.make("damaged.mp4", "\(Self.source) -c:v libx264 -g 60")
        var bytes = try Data(contentsOf: url)
        for offset in bytes.count / 2..<bytes.count / 2 + 400 { bytes[offset] ^= 0x5a }
        try bytes.write(to: url)
        let diagnostics = DiagnosticCollector()
        let frames = try await VideoReader.read(.file(url), diagnostics: diagnostics)
        let strict = try frames.part(from: 0, isStrict: true, isReported: true)
        #expect(throws: KinemaError.self) { while try strict.next() != nil {} }
        #expect(diagnostics.diagnostics.isEmpty)
        let tolerant = try frames.part(from: 0, isStrict: false, isReported: true)
        while try tolerant.next() != nil {}
        #expect(!diagnostics.diagnostics.isEmpty)
    }
}
