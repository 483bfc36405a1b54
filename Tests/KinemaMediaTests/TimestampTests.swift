import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

@Suite struct TimestampTests {
    let clips: Clips

    init() throws {
        clips = try Clips()
    }

    static let kinds: [(name: String, arguments: String)] = [
        ("constant.mp4", "-f lavfi -i testsrc2=s=64x48:r=30 -frames:v 40 -c:v libx264 -pix_fmt yuv420p"),
        ("bframes.mp4", "-f lavfi -i testsrc2=s=64x48:r=24000/1001 -frames:v 40 -c:v libx264 -bf 4 -pix_fmt yuv420p"),
        (
            "variable.mp4",
            "-f lavfi -i testsrc2=s=64x48:r=50 -frames:v 60 -vf select='not(mod(n,7))+not(mod(n,3))' -vsync vfr -c:v libx264"
        ),
        ("edited.mp4", "-ss 0.31 -i SOURCE -c copy"),
        (
            "program.ts",
            "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 40 -c:v libx264 -bf 2 -output_ts_offset 90000 -f mpegts"
        ),
        ("film.mkv", "-f lavfi -i testsrc2=s=64x48:r=24000/1001 -frames:v 40 -c:v libx264"),
        ("old.avi", "-f lavfi -i testsrc2=s=64x48:r=30000/1001 -frames:v 40 -c:v mpeg4"),
        // The 33-bit clock of a transport stream starts anew after 2^33 / 90000 s.
        (
            "wrapping.ts",
            "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 60 -c:v libx264 -bf 2 -output_ts_offset 95442 -f mpegts"
        ),
        ("moving.gif", "-f lavfi -i testsrc2=s=64x48:r=10 -frames:v 12"),
        ("web.webm", "-f lavfi -i testsrc2=s=64x48:r=15 -frames:v 12 -c:v libvpx-vp9 -cpu-used 8"),
    ]

    @Test(arguments: kinds.map(\.name))
    func `Frames carry the container's exact time`(name: String) async throws {
        let kind = try #require(Self.kinds.first { $0.name == name })
        var arguments = kind.arguments
        if arguments.contains("SOURCE") {
            let source = try clips.make(
                "source.mp4", "-f lavfi -i testsrc2=s=64x48:r=30 -frames:v 60 -c:v libx264 -g 12 -bf 3 -pix_fmt yuv420p"
            )
            arguments = arguments.replacingOccurrences(of: "SOURCE", with: source.path)
        }
        let url = try clips.make(name, arguments)
        let diagnostics = DiagnosticCollector()
        let frames = try await VideoReader.read(.file(url), diagnostics: diagnostics)
        var starts: [Int] = []
        var end = 0
        for try await frame in frames {
            if !starts.isEmpty { #expect(frame.id.range.lowerBound == end) }
            starts.append(frame.id.range.lowerBound)
            end = frame.id.range.upperBound
            #expect(frame.id.source == url.path)
        }
        let stamps = try clips.stamps(url)
        let first = try #require(stamps.first)
        let ratio = name.hasSuffix("avi") ? 1001 : 1
        #expect(starts == stamps.map { ($0 - first) * ratio })
        #expect(starts.count == stamps.count)
        #expect(diagnostics.diagnostics == [])
    }
}
