import KinemaCore
package import KinemaMedia
package import KinemaSynth

extension SynthScene {
    /// A rendered frame as a reader would give it, straight from the renderer.
    package func videoFrame(_ index: Int, source: String = "rendered") -> VideoFrame {
        let start = index * frameRate.ticksPerFrame
        return VideoFrame(
            bitmap: bitmap(at: index),
            id: TemporalSegmentIdentifier(
                source: source, range: start..<start + frameRate.ticksPerFrame, timescale: frameRate.timescale))
    }
}
