import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaMedia

/// What a container says of its length need not be the picture's: a whole file is whole, a file cut short is reported.
@Suite struct StreamLengthTests {
    let clips: Clips

    init() throws {
        clips = try Clips()
    }

    /// Pictures of 3 s, alone or beside something longer, or later than the file's time 0.
    enum Kind: String, CaseIterable {
        case alone
        case longerSound
        case longerSubtitles
        case longerPictures
        case lateStart
        /// The pictures begin after the sound.
        case lateAndSound
        /// The first half of the stored pictures is left out by an edit list.
        case editList
    }

    struct Case: CustomTestStringConvertible {
        var kind: Kind
        var container: String
        var testDescription: String { "\(kind.rawValue).\(container)" }
    }

    static let containers = ["mp4", "mov", "mkv", "webm", "flv", "ts", "avi", "mpg", "ogv", "wmv", "nut"]

    /// Every kind in every container that can hold it.
    static let cases = Kind.allCases.flatMap { kind in
        containers.filter { container in
            switch kind {
            case .alone, .longerSound, .lateStart, .lateAndSound: true
            case .longerSubtitles: ["mp4", "mov", "mkv", "webm"].contains(container)
            case .longerPictures: ["mp4", "mkv", "webm", "ts", "avi", "nut"].contains(container)
            case .editList: ["mp4", "mov"].contains(container)
            }
        }.map { Case(kind: kind, container: $0) }
    }

    static func codecs(of container: String) -> String {
        switch container {
        case "webm": "-c:v libvpx -deadline realtime -cpu-used 8 -b:v 200k -c:a libopus -c:s webvtt"
        case "ogv": "-c:v libtheora -c:a libvorbis"
        case "wmv": "-c:v wmv2 -c:a wmav2"
        case "mpg": "-c:v mpeg2video -c:a mp2"
        case "avi": "-c:v mpeg4 -c:a libmp3lame"
        default: "-c:v libx264 -preset ultrafast -g 25 -c:a aac -c:s \(container == "mkv" ? "srt" : "mov_text")"
        }
    }

    func make(_ kind: Kind, _ container: String) throws -> URL {
        let pictures = "-f lavfi -i testsrc2=s=64x48:r=25:d=3"
        let name = "\(kind.rawValue).\(container)"
        let end = "\(Self.codecs(of: container)) -pix_fmt yuv420p -fps_mode passthrough"
        switch kind {
        case .alone: return try clips.make(name, "\(pictures) \(end)")
        case .longerSound: return try clips.make(name, "\(pictures) -f lavfi -i sine=d=9:r=44100 \(end)")
        case .longerSubtitles:
            try Data("1\n00:00:00,100 --> 00:00:01,000\nfirst\n\n2\n00:00:08,000 --> 00:00:09,000\nlast\n".utf8)
                .write(to: clips.url("words.srt"))
            return try clips.make(name, "\(pictures) -i \(clips.url("words.srt").path) \(end)")
        case .longerPictures:
            return try clips.make(name, "\(pictures) -f lavfi -i testsrc2=s=32x24:r=25:d=9 -map 0 -map 1 \(end)")
        case .lateStart: return try clips.make(name, "\(pictures) \(end) -output_ts_offset 5")
        case .lateAndSound:
            return try clips.make(
                name,
                "\(pictures) -f lavfi -i sine=d=8:r=44100 -filter_complex [0:v]setpts=PTS+5/TB[v] -map [v] -map 1:a \(end)"
            )
        case .editList:
            let whole = try clips.make(
                "whole.\(container)",
                "-f lavfi -i testsrc2=s=64x48:r=25:d=6 \(Self.codecs(of: container)) -pix_fmt yuv420p -g 250")
            return try clips.make(name, "-ss 3 -i \(whole.path) -c copy")
        }
    }

    struct Outcome {
        var stated = 0.0
        var expected: Int?
        var frames = 0
        var end = 0.0
        var findings: [String] = []
    }

    func read(_ url: URL) async throws -> Outcome {
        let diagnostics = DiagnosticCollector()
        let frames = try await VideoReader.read(.file(url), diagnostics: diagnostics)
        var outcome = Outcome(stated: frames.videoDuration.seconds, expected: frames.expectedFrameCount)
        for try await frame in frames {
            outcome.frames += 1
            outcome.end = Double(frame.id.range.upperBound) / Double(frame.id.timescale)
        }
        outcome.findings = diagnostics.diagnostics.map(\.code)
        return outcome
    }

    @Test(arguments: Sweep.of(cases, or: stride(from: 0, to: cases.count, by: 3).map { cases[$0] }))
    func `A whole file is not said to end early`(one: Case) async throws {
        let outcome = try await read(try make(one.kind, one.container))
        // The encoder of Ogg's pictures leaves out those that are like the last.
        #expect((one.container == "ogv" ? 50...77 : 70...77).contains(outcome.frames), "\(outcome)")
        #expect(!outcome.findings.contains("input.truncated"), "\(outcome)")
        // These say only how long the longest stream is.
        if ["flv", "nut", "wmv"].contains(one.container) {
            #expect(outcome.stated > 2.5, "\(outcome)")
        } else {
            #expect(abs(outcome.stated - outcome.end) < 0.35, "\(outcome)")
            // AVI's index counts the empty frames before the first picture is replaced.
            guard one.container != "avi", one.container != "ogv" else { return }
            let expected = try #require(outcome.expected)
            #expect(abs(expected - outcome.frames) < 10, "\(outcome)")
        }
    }

    /// Transport and programme streams, Ogg, NUT and raw video keep no length that a cut would leave in them.
    @Test(arguments: [Kind.alone, .longerSound, .lateStart], ["mp4", "mov", "mkv", "webm", "flv", "avi"])
    func `A file cut in half is reported`(kind: Kind, container: String) async throws {
        var source = try make(kind, container)
        if container == "mp4" || container == "mov" {
            source = try clips.make("front.\(container)", "-i \(source.path) -c copy -movflags +faststart")
        }
        let url = clips.url("cut.\(container)")
        let bytes = try Data(contentsOf: source)
        // Well before the pictures end where sound is longer.
        try bytes[..<(bytes.count * (kind == .longerSound ? 2 : 5) / 10)].write(to: url)
        let outcome = try await read(url)
        #expect((3..<68).contains(outcome.frames), "\(outcome)")
        #expect(outcome.findings.contains("input.truncated"), "\(outcome)")
    }

    @Test(arguments: [Kind.alone, .longerSound])
    func `A Matroska file without tags is held against its longest stream`(kind: Kind) async throws {
        var bytes = [UInt8](try Data(contentsOf: try make(kind, "mkv")))
        for index in bytes.indices where bytes[index...].starts(with: Array("DURATION".utf8)) {
            bytes[index] = UInt8(ascii: "X")
        }
        let url = clips.url("untagged.mkv")
        try Data(bytes).write(to: url)
        #expect(try await read(url).findings == [])
        try Data(bytes[..<(bytes.count * 4 / 10)]).write(to: url)
        #expect(try await read(url).findings.contains("input.truncated"))
    }

    @Test
    func `Something unreadable in the middle does not make a file end early`() async throws {
        var bytes = [UInt8](try Data(contentsOf: try make(.alone, "mkv")))
        for index in bytes.count * 4 / 10..<bytes.count * 5 / 10 { bytes[index] = 0 }
        let url = clips.url("hole.mkv")
        try Data(bytes).write(to: url)
        let outcome = try await read(url)
        #expect(outcome.end > 2.9 && !outcome.findings.isEmpty, "\(outcome)")
        #expect(!outcome.findings.contains("input.truncated"), "\(outcome)")
    }

    static let statements: [(StreamLength.Statement, first: Double?, seconds: Double?)] = [
        (
            .init(container: "mov,mp4", streamStart: 5, streamDuration: 6, containerStart: 0, containerDuration: 20), 5,
            6
        ),
        // AVI counts the time before the first picture.
        (.init(container: "avi", streamStart: 0, streamDuration: 9, containerStart: 0, containerDuration: 9), 5, 4),
        // A clock that was set back after the start was read.
        (.init(container: "mpegts", streamStart: 95_442, streamDuration: 4, containerStart: 95_442), 0.5, 4),
        (.init(container: "matroska,webm", streamStart: 5, tag: "00:00:11.000000000", containerDuration: 12), 5, 6),
        (.init(container: "matroska,webm", streamStart: 5, tag: "00:00:06.0", tagIsStatistic: true), 5, 6),
        // A tag that was copied into a shorter file.
        (
            .init(
                container: "matroska,webm", streamStart: 0, tag: "01:00:00.0", tagIsStatistic: true,
                containerDuration: 12), 0, 12
        ),
        (.init(container: "matroska,webm", streamStart: 0, tag: "nonsense"), 0, nil),
        // FFmpeg copies the container's duration into the stream.
        (.init(container: "asf", streamStart: 5, streamDuration: 9, containerStart: 0, containerDuration: 14), 5, 4),
        (.init(container: "flv", streamStart: 5, containerStart: 5, containerDuration: 4), 5, 4),
        (.init(container: "mov,mp4", streamStart: 0), nil, nil),
    ]

    @Test(arguments: statements.indices)
    func `The picture's length follows from what the container says`(index: Int) {
        let (statement, first, seconds) = Self.statements[index]
        #expect(StreamLength(statement)?.seconds(from: first) == seconds)
    }
}
