public import Foundation

/// A rule that defines a pinch.
public enum PinchRule: Sendable, Hashable {
    /// One score of named quantities decides, with weights fitted to recordings; the default.
    case scored
    /// The tips touch while the hand is neither a fist nor flat, measured in hand lengths and seconds.
    case strict
    /// The HandPose sample's rule: the tips are closer than the given number of hand lengths for three frames.
    case sample(handLengths: Double = 0.3)
    /// The sample's rule in its own unit: tips within 40 points in a view of the given size in three frames.
    case viewPoints(_ distance: Double = 40, view: CGSize)

    /// The time out of view after which a hand's state is reset, in seconds; the HandPose sample's.
    static let memory: TimeInterval = 2
}
