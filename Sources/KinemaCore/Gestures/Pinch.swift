public import Foundation

/// A pinch from the frame in which the tips met to the one in which they were apart.
public struct Pinch: Sendable, Hashable, Codable {
    /// The number of the hand.
    public var id: Int
    /// Which hand it is, as the person sees it; nil when nobody can tell.
    public var hand: HumanHandPoseObservation.Chirality?
    /// When the tips met, seconds from the first frame.
    public var start: TimeInterval
    /// When they were apart again, or the hand was lost, seconds from the first frame.
    public var end: TimeInterval

    /// Makes a pinch from the hand's number and side and its times in seconds.
    public init(id: Int, hand: HumanHandPoseObservation.Chirality?, start: TimeInterval, end: TimeInterval) {
        self.id = id
        self.hand = hand
        self.start = start
        self.end = end
    }
}
