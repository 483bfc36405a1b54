import Foundation
import KinemaMedia
import KinemaSynth
import KinemaTestSupport

@testable import KinemaStudio

/// A rendered scene as the JPEG pictures that a browser's camera would send.
struct RenderedClip {
    let pictures: [Data]
    /// Seconds from one picture to the next.
    let step: Double

    init(_ scene: SynthScene, every: Int = 1) throws {
        let encoder = try JPEGEncoder()
        pictures = try stride(from: 0, to: scene.frameCount, by: every).map {
            try encoder.jpeg(scene.videoFrame($0)).bytes
        }
        step = Double(every) / scene.frameRate.perSecond
    }

    /// Shows every picture, each after the one before was answered, and no faster than a client may; the times are those
    /// of a clock that runs already.
    func show(to client: LiveClient, from time: Double = 1000) async {
        let pause = Duration.seconds(1) / (LiveLimits().framesPerSecond - 5)
        var next = ContinuousClock.now
        for (index, picture) in pictures.enumerated() {
            // Late is late: what a slow machine owes is not sent in one go.
            try? await Task.sleep(until: next, clock: .continuous)
            next = max(next, .now) + pause
            _ = await client.showAndWait(picture, at: time + Double(index) * step)
        }
    }
}
