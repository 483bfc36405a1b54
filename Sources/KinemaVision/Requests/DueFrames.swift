import KinemaCore
import KinemaMedia

/// The frames, and the part of them, that a request analyses if it is independent of earlier frames.
struct DueFrames: Sendable {
    var region = NormalizedRect.fullImage
    private var last: (source: String, time: Double)?

    /// Accepts a frame for analysis; false if it follows too soon after one of the same stream.
    mutating func take(_ frame: VideoFrame, after spacing: CMTime) -> Bool {
        // The tolerance keeps rounding from skipping a frame at exactly the spacing.
        if !frame.isPicture, let last, last.source == frame.id.source, frame.time >= last.time,
            frame.time - last.time < spacing.seconds - 1e-6
        {
            return false
        }
        last = (frame.id.source, frame.time)
        return true
    }
}
