import Foundation
import Kinema
import KinemaSynth

/// The built-in scene as camera frames: a person doing eight jumping jacks.
struct DemoFrames: TemporalSequence {
    typealias Feature = VideoFrame
    typealias Element = TemporalFeature<VideoFrame>

    let scene = SynthScene.demo

    var count: Int? { scene.frameCount }
    var frameSize: CGSize { CGSize(width: scene.size.width, height: scene.size.height) }
    var timescale: Int { scene.frameRate.timescale }

    func makeAsyncIterator() -> Iterator { Iterator(scene: scene) }

    struct Iterator: AsyncIteratorProtocol {
        let scene: SynthScene
        var index = 0

        mutating func next() async throws -> TemporalFeature<VideoFrame>? {
            guard index < scene.frameCount else { return nil }
            let start = index * scene.frameRate.ticksPerFrame
            let id = TemporalSegmentIdentifier(
                source: "demo", range: start..<start + scene.frameRate.ticksPerFrame,
                timescale: scene.frameRate.timescale)
            let frame = VideoFrame(bitmap: scene.bitmap(at: index), id: id)
            index += 1
            return TemporalFeature(id: id, feature: frame)
        }
    }
}
