package import Foundation

/// An object on a parabolic path, as observed so far.
package struct TossTrajectory: Sendable, Hashable {
    /// A position (normalised, origin at the lower left) and its time in seconds from the first frame.
    package struct Sample: Sendable, Hashable {
        package var time: TimeInterval
        package var point: CGPoint
    }

    /// Stays the same for the life of the trajectory.
    var uuid: UUID
    var samples: [Sample]
    var confidence: Float
}
