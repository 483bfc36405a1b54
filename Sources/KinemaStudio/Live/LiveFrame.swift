import Kinema
import KinemaMedia

struct LiveFrame: Sendable {
    enum Content: Sendable {
        /// A client's picture, and its time range in microseconds from the session's first.
        case encoded(FrameMessage.Picture, microseconds: Range<Int>)
        case decoded(VideoFrame)
        /// An upload's frame with its poses.
        case posed(PosedFrame)
    }

    var sequence: UInt32
    var arrival: ContinuousClock.Instant
    var content: Content
}
