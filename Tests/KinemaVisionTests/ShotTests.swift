@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

extension RenderedPeople {
    /// Cuts: noticed in the picture, and nobody is looked for where somebody else's camera saw them.
    struct ShotTests {
        private static let settings = SynthScene.Settings(width: 480, height: 360, frameRate: FrameRate(timescale: 15))

        /// A squat that is seen by two cameras, the second from its 20th frame on.
        private func film(_ second: SynthCamera.View, seed: UInt64) -> SynthScene {
            func scene(_ view: SynthCamera.View) -> SynthScene {
                SynthScene.exercise(
                    .squat, repetitions: 2, seed: seed, view: view, secondsPerRepetition: 1.4, settings: Self.settings)
            }
            var film = scene(.front)
            // The second camera stands farther off and has the person at the edge of its picture.
            var camera = scene(second).shots[0].camera
            let way = camera.position - camera.target
            camera.position = camera.target + way * 1.3
            camera.target = camera.target + Vector(way.z, 0, -way.x) * 0.3
            film.shots.append(SynthScene.Shot(start: 20.0 / 15, camera: camera))
            return film
        }

        private func cuts(_ frames: some Sequence<VideoFrame>) -> [Int] {
            var detector = ShotBoundaryDetector()
            return frames.enumerated().filter { detector.isCut($0.element, at: $0.element.time) }.map(\.offset)
        }

        @Test(arguments: [SynthCamera.View.side, .threeQuarter, .back], [3, 11] as [UInt64])
        func `a cut is noticed in its frame`(view: SynthCamera.View, seed: UInt64) {
            let scene = film(view, seed: seed)
            #expect(cuts((0..<40).map { scene.videoFrame($0) }) == [20])
        }

        @Test func `movement shake and light are no cuts`() throws {
            let shaken = SynthScene.random(seed: 1)
            let until = shaken.shots.count > 1 ? Int(shaken.shots[1].start * 20) - 1 : shaken.frameCount
            #expect(cuts((0..<min(until, 120)).map { shaken.videoFrame($0) }).isEmpty)
            let scene = film(.front, seed: 3)
            let lit = try (0..<18).map { index in
                let frame = scene.videoFrame(index)
                guard index >= 9 else { return frame }
                var bitmap = try frame.bitmap()
                for at in bitmap.pixels.indices where at % 4 < 3 {
                    bitmap.pixels[at] = UInt8(min(255, Int(bitmap.pixels[at]) + 40))
                }
                return VideoFrame(bitmap: bitmap, id: frame.id)
            }
            #expect(cuts(lit).isEmpty)
        }

        @Test func `a title that stands still and the moving shot after it are one cut apart`() {
            let scene = film(.front, seed: 3)
            let frames = (0..<30).map { index in
                var bitmap = Bitmap(width: 480, height: 360, green: 90)
                // Stripes that move on.
                for at in 0..<480 * 360 where index >= 10 && (at % 480 + 12 * index) / 40 % 2 == 0 {
                    bitmap.pixels[4 * at + 1] = 180
                }
                return VideoFrame(bitmap: bitmap, id: scene.videoFrame(index).id)
            }
            #expect(cuts(frames) == [10])
        }

        @Test(arguments: [SynthCamera.View.side, .threeQuarter, .back])
        func `the body is right in the very frame of a cut`(view: SynthCamera.View) throws {
            let scene = film(view, seed: 11)
            let people = try RenderedPeople.poses(in: scene, frames: 30)
            #expect(people.map { $0.map(\.id) } == Array(repeating: [1], count: 30))
            #expect(people.map { $0.first?.shot } == (0..<30).map { $0 < 20 ? 0 : 1 })
            let truth = scene.truth().people[0].frames
            for index in 20..<30 {
                let pose = try #require(people[index].first)
                let body = RenderedPeople.bodySize(truth[index], scene.size)
                let distances = RenderedPeople.limbs.filter {
                    truth[index].keypoints[$0.rawValue]?.visibility == .visible
                }.compactMap { RenderedPeople.distance($0, pose, truth[index], scene.size) }
                let middle = RenderedPeople.quantile(0.5, of: distances) / body
                #expect(middle < 0.03, "frame \(index): \(middle)")
            }
        }
    }
}
