import Foundation
import KinemaMedia

/// A frame on its way to be analysed.
struct LiveFrame: Sendable {
    /// What it is made of.
    enum Content: Sendable {
        /// A client's picture, and when it is shown in microseconds from the session's first.
        case sent(FrameMessage.Picture, microseconds: Range<Int>)
        /// A picture that was decoded already.
        case video(VideoFrame)
    }

    var sequence: UInt32
    /// When it came here.
    var arrival: ContinuousClock.Instant
    var content: Content
}
