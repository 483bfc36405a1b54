public import Foundation

/// A pinch, from the frame in which the fingertips touched to the one in which they had parted.
public struct Pinch: Sendable, Hashable, Codable {
    /// The number of the hand.
    public var id: Int
    /// The side of the hand, from the person's own view; nil if unknown.
    public var hand: HumanHandPoseObservation.Chirality?
    /// The time at which the fingertips touched, in seconds from the first frame.
    public var start: TimeInterval
    /// The time at which they parted, or the hand was lost, in seconds from the first frame.
    public var end: TimeInterval

    package init(id: Int, hand: HumanHandPoseObservation.Chirality?, start: TimeInterval, end: TimeInterval) {
        (self.id, self.hand, self.start, self.end) = (id, hand, start, end)
    }
}
