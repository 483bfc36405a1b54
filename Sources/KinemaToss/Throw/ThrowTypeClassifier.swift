public import Foundation
public import KinemaCore

/// A type of throw with its confidence.
public struct ThrowTypePrediction: Sendable, Hashable {
    /// The type.
    public var type: ThrowType
    /// Its confidence, 0...1.
    public var confidence: Float

    /// Creates a prediction; the confidence is 0...1.
    public init(_ type: ThrowType, confidence: Float) {
        self.type = type
        self.confidence = confidence
    }
}

/// Classifies a throw by the thrower's movement.
public protocol ThrowTypeClassifier: Sendable {
    /// Returns the type of a throw; nil if the movement does not show it.
    ///
    /// `poses` are the thrower's around the release, in order of time (seconds); `aspectRatio` is width / height.
    func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction?
}
