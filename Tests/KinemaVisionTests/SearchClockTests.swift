@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

struct SearchClockTests {
    private func frame(_ ticks: Range<Int>) -> VideoFrame {
        VideoFrame(
            bitmap: Bitmap(width: 2, height: 2),
            id: TemporalSegmentIdentifier(source: "test", range: ticks, timescale: 30))
    }

    private func times(_ ranges: [Range<Int>]) -> [Int] {
        var clock = SearchClock()
        return ranges.map {
            clock.advance(to: frame($0))
            return Int((clock.time * 30).rounded())
        }
    }

    @Test func `frames that follow one another keep their time`() {
        #expect(times([0..<1, 1..<2, 2..<5, 5..<6]) == [0, 1, 2, 5])
    }

    @Test func `what was dropped in between does not count but for one frame`() {
        #expect(times([0..<1, 2..<3, 30..<31, 60..<61]) == [0, 2, 4, 6])
    }

    @Test func `frames that claim to last a moment are searched all the same`() {
        var clock = SearchClock()
        for ticks in [0, 20_000, 60_000, 160_000] {
            clock.advance(
                to: VideoFrame(
                    bitmap: Bitmap(width: 2, height: 2),
                    id: TemporalSegmentIdentifier(source: "own", range: ticks..<ticks + 1, timescale: 1_000_000)))
        }
        #expect(abs(clock.time - (0.02 + 2.0 / 30)) < 1e-9)
    }

    @Test func `a time before the last starts again and makes a search due`() {
        #expect(times([90..<91, 91..<92, 0..<1, 1..<2]) == [0, 1, 31, 32])
    }
}

extension RenderedPeople {
    struct DroppedFrames {
        /// A machine that is behind takes one frame a second of a camera's thirty. If it searched in each of them it
        /// would never catch up.
        @Test func `searches become rarer where frames are dropped`() throws {
            let store = ModelStore()
            var tracker = try BodyPoseTracker(options: BodyPoseOptions(), store: store)
            let detector = try store.model(ModelCatalogue.bodyDetector, precision: BodyPoseOptions().precision)
            let scene = SynthScene.exercise(
                .squat, repetitions: 2, seed: 5, view: .front, secondsPerRepetition: 2,
                settings: SynthScene.Settings(width: 320, height: 240))
            let still = scene.videoFrame(0)
            func update(_ second: Int) throws -> [Pose] {
                let id = TemporalSegmentIdentifier(
                    source: "camera", range: 30 * second..<30 * second + 1, timescale: 30)
                return try tracker.update(VideoFrame(bitmap: still.bitmap(), id: id))
            }
            // The parts of the first picture are searched within its first half second: by frames of a camera at the full rate
            // 15, here 8.
            for second in 0..<10 { _ = try update(second) }
            let before = detector.useCount
            for second in 10..<40 { #expect(try update(second).map(\.id) == [1]) }
            // 30 frames are two seconds by the clock of searches: four searches of the whole and of two parts, and a check.
            #expect(detector.useCount - before <= 4 * 3 + 4)
        }
    }
}
