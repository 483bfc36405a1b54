package import Foundation
package import KinemaCore

/// Tracks the most prominent person for as long as they stay in view, without jumping between neighbours.
package struct ProminentPersonSelector: Sendable {
    /// The factor of size by which another person replaces the selected one.
    private static let sizeAdvantage: Float = 2
    /// The seconds for which another person must be larger, or the selected one out of view, before a change.
    private static let switchDelay: TimeInterval = 1

    /// The number of the selected person; nil before anyone was seen.
    package private(set) var id: Int?
    private var challengedSince: TimeInterval?
    /// The shot in which the selected person was last in view.
    private var shot: Int?

    /// Joints below this confidence (0...1) do not count towards a person's size.
    private let confidenceThreshold: Float

    /// Makes a selector without a selection; joints below the confidence (0...1) are ignored.
    package init(confidenceThreshold: Float = 0.2) { self.confidenceThreshold = confidenceThreshold }

    /// The pose of the selected person; nil if that person is not in view.
    ///
    /// - Parameters:
    ///   - poses: Everyone in the frame.
    ///   - time: The frame's time, seconds.
    ///   - holds: Whether the selected person stays selected while in view, however near others come.
    package mutating func select(_ poses: [Pose], at time: TimeInterval, holds: Bool = false) -> Pose? {
        let selected = poses.first { $0.id == id && id != nil }
        if let selected { shot = selected.shot }
        guard let largest = poses.max(by: { area(of: $0) < area(of: $1) }) else {
            return nil
        }
        let staysLargest = selected.map { holds || area(of: largest) < Self.sizeAdvantage * area(of: $0) } ?? false
        if staysLargest {
            challengedSince = nil
            return selected
        }
        let since = challengedSince ?? time
        challengedSince = since
        // Who is not in view after a cut is not waited for.
        let isNewShot = selected == nil && shot != nil && largest.shot != shot
        if id == nil || isNewShot || time - since >= Self.switchDelay {
            (id, shot) = (largest.id, largest.shot)
            challengedSince = nil
            return largest
        }
        return selected
    }

    private func area(of pose: Pose) -> Float {
        pose.boundingBoxArea(confidenceThreshold: confidenceThreshold)
    }
}
