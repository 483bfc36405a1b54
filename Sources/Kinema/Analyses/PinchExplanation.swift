import Foundation
import KinemaMotion

/// A line of `kinema gesture --explain`: the evidence of a frame, and the reason why close tips did not pinch.
package struct PinchExplanation: Codable, Sendable, Hashable {
    package var frame: Int
    package var time: Double
    package var id: Int
    package var state: HandGestureProcessor.State
    /// The quantities, in hand lengths.
    package var gap: Double, reach: Double, opening: Double, depth: Double
    /// The log-odds of this frame that the tips touch, and their average over the last moments, which decides.
    package var score: Double, average: Double
    /// The reason why close tips do not pinch; null if they are apart or pinch.
    @Nullable package var refused: String?

    init?(_ hand: PinchDrawing.HandState, frame: Int, time: TimeInterval) {
        guard let evidence = hand.evidence else { return nil }
        (self.frame, self.time, id, state) = (frame, time.rounded(to: 6), hand.id, hand.state)
        (gap, reach) = (evidence.gap.rounded(to: 4), evidence.reach.rounded(to: 4))
        (opening, depth) = (evidence.opening.rounded(to: 4), evidence.depth.rounded(to: 4))
        (score, average) = (evidence.score.rounded(to: 3), evidence.average.rounded(to: 3))
        refused = evidence.refusal?.rawValue
    }
}
