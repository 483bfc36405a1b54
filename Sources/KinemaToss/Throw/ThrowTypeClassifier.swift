public import Foundation
public import KinemaCore

/// How a bag was thrown, and how sure that is.
public struct ThrowTypePrediction: Sendable, Hashable {
    /// The type.
    public var type: ThrowType
    /// Its confidence, 0...1.
    public var confidence: Float

    /// Makes a prediction; the confidence is 0...1.
    public init(_ type: ThrowType, confidence: Float) {
        self.type = type
        self.confidence = confidence
    }
}

/// Classifies how a bag was thrown from the thrower's movement.
public protocol ThrowTypeClassifier: Sendable {
    /// Returns the type of a throw; nil if the movement does not show it.
    ///
    /// `poses` are the thrower's, in order of time (seconds), from before the release to after it; `aspectRatio` is the
    /// picture's width divided by its height.
    func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction?
}
