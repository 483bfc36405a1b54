package import Foundation

/// A pinch, from the frame in which the fingertips touched to the one in which they had parted.
package struct Pinch: Sendable, Hashable, Codable {
    /// The number of the hand.
    package var id: Int
    /// The side of the hand, from the person's own view; nil if unknown.
    package var hand: HumanHandPoseObservation.Chirality?
    /// The times at which the fingertips touched, and parted or were lost, in seconds from the first frame.
    package var start, end: TimeInterval
    /// Which of the two is only where it was first or last seen, and why, in words; nil if both were seen.
    package var unseen: String?

    package init(id: Int, hand: HumanHandPoseObservation.Chirality?, start: TimeInterval, end: TimeInterval) {
        (self.id, self.hand, self.start, self.end) = (id, hand, start, end)
    }
}
