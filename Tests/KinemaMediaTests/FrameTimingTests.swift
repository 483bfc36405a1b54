import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

/// How many times slower than life a film plays.
struct FrameTimingTests {
    @Test(
        arguments: [
            // Slow motion as phones write it, and where frames were left out later.
            (240.0, 30.0, 8.0), (240, 29.97, 8), (120, 30, 4), (960, 30, 32), (240, 60, 4), (240, 15, 4),
            (240, 12.5, 4.8),
            // Slow motion by two, at the rates of films: those of fewer frames are from the dark.
            (60, 30, 2), (60, 30.06, 2), (50, 25, 2), (60, 29.97, 2), (48, 24, 2), (60, 15, 1), (60, 40, 1),
            (30, 24, 1),
            // No rate of a camera.
            (-120, 30, 1), (1e6, 30, 1), (60, 60, 1),
            // Played as fast as it was recorded, or a little less regularly.
            (240, 240, 1), (240, 238.7, 1), (30, 30, 1), (30, 15, 1), (60, 31, 1), (120, 100, 1),
            // A time lapse.
            (2, 30, 2.0 / 30),
        ] as [(Double, Double, Double)]) func `a tag of the recording's rate is compared with that of the film`(
            capture: Double, rate: Double, slowdown: Double
        )
    {
        let found = FrameTiming.tagged.slowdown(rate: rate, capture: capture)
        #expect(abs(found - slowdown) < 1e-9, "\(found)")
        #expect(FrameTiming.tagged.slowdown(rate: rate, capture: nil) == 1)
    }

    @Test func `a stated rate or speed counts instead of a tag`() {
        #expect(FrameTiming.recorded(240).slowdown(rate: 30, capture: nil) == 8)
        #expect(FrameTiming.speed(0.125).slowdown(rate: 30, capture: 120) == 8)
        #expect(FrameTiming.speed(1).slowdown(rate: 30, capture: 240) == 1)
    }

    @Test(arguments: [
        ("com.android.capture.fps", true), ("com.apple.quicktime.capture-frame-rate", true), ("captureFps", true),
        ("CaptureFrameRate", true), ("encoder", false), ("com.android.version", false), ("frame_rate", false),
    ]) func `tags of the recording's rate are known by their names`(tag: String, isRate: Bool) {
        #expect(FrameTiming.isCaptureRate(tag) == isRate)
    }

    @Test(arguments: [
        ("240.000000", 240.0), ("119.88p", 119.88), ("240000/1001", 240_000.0 / 1001), ("fast", nil), ("0", nil),
        ("-120", -120), ("60/-1", -60), ("60/0", nil),
    ])
    func `rates are read as cameras write them`(text: String, rate: Double?) {
        #expect(FrameTiming.rate(of: text) == rate)
    }

    @Test func `a tag that does not count is mentioned`() {
        func note(_ rate: Double, _ capture: Double?) -> String? {
            FrameTiming.tagged.disregarded(rate: rate, capture: capture)
        }
        #expect(note(30, -120)?.contains("at -120 frames per second, which is impossible") == true)
        #expect(note(30, 1e6)?.contains("impossible") == true)
        #expect(note(15, 60)?.contains("states 60 frames per second, the film has 15") == true)
        #expect(note(15, 60)?.contains("--real-rate 60") == true)
        // Those that count, that say what the film does, that are not there, and that the user overrides.
        let others: [(Double, Double?)] = [
            (30, 60), (30, 240), (30, 30), (60, 60), (29.5, 30), (30, 2), (30, nil), (0, 60),
        ]
        for (rate, capture) in others {
            #expect(note(rate, capture) == nil, "\(capture ?? 0) \(rate)")
        }
        #expect(FrameTiming.speed(1).disregarded(rate: 30, capture: -120) == nil)
        #expect(FrameTiming.rate(among: [-120, 240]) == 240 && FrameTiming.rate(among: [-120]) == -120)
        #expect(FrameTiming.rate(among: []) == nil)
    }

    @Test(arguments: [4.0, 8, 8.008, 0.25, 1 / 15.0, 3.7]) func `ticks stay whole, and times are divided`(
        factor: Double
    ) {
        for denominator in [1000, 15_360, 90_000, 1_000_000] {
            let unit = Rational(numerator: 1, denominator: denominator)
            let slowed = unit.divided(by: factor)
            #expect(abs(unit.value / slowed.value / factor - 1) < 1e-3, "\(slowed)")
            #expect(slowed.denominator <= Int(Int32.max) && slowed.numerator > 0)
        }
    }

    @Test func `a file's rate, length and unit follow`() {
        var facts = StreamFacts(
            container: "mov,mp4,m4a,3gp,3g2,mj2", width: 4, height: 4,
            timeBase: Rational(numerator: 1, denominator: 15_360),
            averageRate: Rational(numerator: 30, denominator: 1), nominalRate: Rational(numerator: 30, denominator: 1),
            length: StreamLength(StreamLength.Statement(streamStart: 0, streamDuration: 12)), frameCount: 360,
            orientation: .upright)
        facts.captureRate = 240
        let timed = facts.timed(.tagged)
        #expect(timed.frameRate == 240 && timed.slowdown == 8 && timed.length?.end == 1.5 && timed.timescale == 122_880)
        #expect(facts.timed(.speed(1)).frameRate == 30)
    }

    /// The entries of an edit list: length in the film's thousandths, start in the ticks of its frames, rate as fixed point.
    private static let edits: [(name: String, entries: [(length: UInt32, start: UInt32, rate: UInt32)])] = [
        // A second in the middle eight times slower; all four times slower; twice as fast.
        ("slow", [(500, 0, 0x1_0000), (8000, 7680, 0x2000), (500, 23_040, 0x1_0000)]), ("whole", [(8000, 0, 0x4000)]),
        ("fast", [(1000, 0, 0x2_0000)]), ("plain", [(2000, 0, 0x1_0000)]), ("cut", [(1000, 7680, 0x1_0000)]),
    ]

    @Test(arguments: ["slow", "whole", "fast", "plain", "cut"], [false, true])
    func `frames that a list of edits plays at other rates keep their times`(name: String, isLong: Bool) async throws {
        let clips = try Clips()
        let url = try clips.make(
            "a.mp4", "-f lavfi -i testsrc2=s=64x48:r=240 -frames:v 480 -c:v libx264 -bf 0 -pix_fmt yuv420p")
        var film = try Data(contentsOf: url)
        let entries = try #require(Self.edits.first { $0.name == name }).entries
        func bytes(_ number: Int, _ width: Int) -> [UInt8] {
            (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var list = Array("elst".utf8) + [isLong ? 1 : 0, 0, 0, 0] + bytes(entries.count, 4)
        for entry in entries {
            list +=
                bytes(Int(entry.length), isLong ? 8 : 4) + bytes(Int(entry.start), isLong ? 8 : 4)
                + bytes(Int(entry.rate), 4)
        }
        list = bytes(list.count + 4, 4) + list
        func box(_ name: String) throws -> Int { try #require(film.firstRange(of: Data(name.utf8))).lowerBound - 4 }
        func size(_ place: Int) -> Int { film[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let place = try box("elst")
        let growth = list.count - size(place)
        for name in ["moov", "trak", "edts"] {
            let around = try box(name)
            film.replaceSubrange(around..<around + 4, with: bytes(size(around) + growth, 4))
        }
        film.replaceSubrange(place..<place + size(place), with: list)
        try film.write(to: url)
        var times: [Double] = []
        for try await frame in try await VideoReader.read(.file(url), diagnostics: DiagnosticCollector()) {
            times.append(frame.id.rangeInSeconds.lowerBound)
        }
        #expect(times.count == (name == "cut" ? 240 : 480))
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1 / 240) < 1e-3 }, "\(times.last ?? 0)")
    }
}
