import Foundation
import KinemaCore
import KinemaMotion

/// The hands in one frame; a line of `kinema gesture --format jsonl`.
public struct HandFrame: Codable, Sendable, Hashable {
    /// One hand.
    public struct Hand: Codable, Sendable, Hashable {
        /// The hand's number.
        public var id: Int
        /// Left or right, as the person sees it; null if unknown.
        @Nullable public var hand: String?
        /// The state of the fingertips.
        public var state: String
        /// The midpoint between the fingertips: x and y, normalised, origin at the lower left.
        public var point: [Double]
    }

    /// The frame's number, from 0.
    public var frame: Int
    /// Seconds from the first frame.
    public var time: Double
    /// The hands in it.
    public var hands: [Hand]

    init(frame: Int, time: TimeInterval, _ states: [PinchDrawing.HandState], of hands: [HumanHandPoseObservation]) {
        self.frame = frame
        self.time = time.rounded(to: 6)
        self.hands = states.map { state in
            let side = hands.first { $0.pose.id == state.id }?.chirality
            return Hand(id: state.id, hand: side?.rawValue, state: state.state.rawValue, point: state.point.pair)
        }
    }
}
