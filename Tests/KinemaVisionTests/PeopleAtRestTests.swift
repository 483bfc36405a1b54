@testable import KinemaSampling
@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

struct PersonViewTests {
    private static let region = Region(center: SIMD2(128, 128), side: 256, angle: 0)

    /// A view of a light square on a dark ground, whose pixels are drawn by `shade` from their place and usual level.
    private func view(
        at time: TimeInterval = 0, edge: Int = 100, _ shade: (_ column: Int, _ row: Int, _ level: Int) -> Int = { $2 }
    ) -> PersonView {
        var pixels: [UInt8] = []
        for row in 0..<256 {
            for column in 0..<256 {
                let isLight = (edge..<edge + 60).contains(column) && (60..<200).contains(row)
                let level = UInt8(clamping: shade(column, row, isLight ? 180 : 60))
                pixels += [level, level, level]
            }
        }
        return pixels.withUnsafeMutableBufferPointer { PersonView($0, of: Self.region, at: time) }
    }

    @Test func `nothing has moved where only noise changes`() {
        var random = RandomSource(seed: 4)
        let noisy = view { _, _, level in level + Int(Double.random(in: -12...12, using: &random)) }
        #expect(view().isStill(view()) && view().isStill(noisy))
    }

    @Test func `an edge that moves by a pixel, or a small thing that appears, is a movement`() {
        #expect(!view().isStill(view(edge: 101)))
        #expect(!view().isStill(view { column, row, level in column / 8 == 3 && row / 8 == 3 ? level + 20 : level }))
    }

    @Test func `nothing is concluded where the light changes`() {
        #expect(!view().isStill(view { $2 + 10 }))
    }

    @Test func `landmarks stand for half a second and never for a time before`() {
        let view = view(at: 2)
        #expect([2, 2.4].allSatisfy(view.isRecent) && ![1.9, 2.5, 3].contains(where: view.isRecent))
    }
}

extension RenderedPeople {
    struct PeopleAtRest {
        private static let scene = SynthScene.exercise(
            .squat, repetitions: 2, seed: 5, view: .front, secondsPerRepetition: 2,
            settings: SynthScene.Settings(width: 320, height: 240))

        /// The poses of somebody who is rendered at the given frames, one picture for each.
        private func poses(at frames: [Int], holds: Bool) throws -> [[Pose]] {
            var tracker = try BodyPoseTracker(options: BodyPoseOptions(holdsPeopleAtRest: holds))
            return try frames.enumerated().map { index, frame in
                let id = TemporalSegmentIdentifier(source: "test", range: index..<index + 1, timescale: 30)
                return try tracker.update(VideoFrame(bitmap: Self.scene.videoFrame(frame).bitmap(), id: id))
            }
        }

        @Test func `whoever stands still is looked at twice a second and then held, and looked at when moving`() throws
        {
            let still = [Int](repeating: 0, count: 40)
            // The knees begin to bend at frame 48.
            let found = try poses(at: still + Array(stride(from: 56, to: 76, by: 2)), holds: true)
            #expect(found.allSatisfy { $0.count == 1 })
            let held = found.map { $0.first?.isHeld ?? false }
            // The first look finds, the second tells that nobody moves; then each stands for 14 frames.
            #expect(!held[0] && !held[1] && held[2])
            #expect(held[..<40].count { $0 } >= 34 && held[..<40].count { !$0 } >= 3)
            for index in held.indices.dropFirst() where held[index] {
                #expect(found[index].first?.keypoints == found[index - 1].first?.keypoints)
            }
            #expect(held[40...].allSatisfy { !$0 }, "\(held[40...])")
        }

        @Test func `nobody is held unless that is wanted`() throws {
            #expect(
                try poses(at: [Int](repeating: 0, count: 12), holds: false).allSatisfy { !$0.contains(where: \.isHeld) }
            )
        }
    }
}
