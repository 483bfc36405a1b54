public import Foundation
public import KinemaCore

/// Stays with one person: the most prominent one, as long as that person is in view.
///
/// Unlike choosing the largest box in every frame, it does not hop between people who stand side by side.
public struct ProminentPersonSelector: Sendable {
    /// Somebody else must be this many times larger ...
    private static let advantage: Float = 2
    /// ... for this long, or the chosen person out of view for this long, before the choice changes; seconds.
    private static let patience: TimeInterval = 1

    /// The number of the person chosen now; nil before anyone was seen.
    public private(set) var id: Int?
    private var doubtSince: TimeInterval?

    /// Joints of less confidence (0...1) play no part in how large a person is.
    private let confidenceThreshold: Float

    /// Makes a selector that has chosen nobody yet; joints of less confidence (0...1) are overlooked.
    public init(confidenceThreshold: Float = 0.2) {
        self.confidenceThreshold = confidenceThreshold
    }

    /// The chosen person's pose; nil when that person is not in view.
    public mutating func select(_ poses: [Pose], at time: TimeInterval) -> Pose? {
        let chosen = poses.first { $0.id == id && id != nil }
        guard let largest = poses.max(by: { area(of: $0) < area(of: $1) }) else {
            return nil
        }
        let isContent = chosen.map { area(of: largest) < Self.advantage * area(of: $0) } ?? false
        if isContent {
            doubtSince = nil
            return chosen
        }
        let since = doubtSince ?? time
        doubtSince = since
        if id == nil || time - since >= Self.patience {
            id = largest.id
            doubtSince = nil
            return largest
        }
        return chosen
    }

    private func area(of pose: Pose) -> Float {
        pose.boundingBoxArea(confidenceThreshold: confidenceThreshold)
    }
}
