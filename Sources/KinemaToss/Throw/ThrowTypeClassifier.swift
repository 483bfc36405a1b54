package import Foundation
package import KinemaCore

/// A type of throw with its confidence.
package struct ThrowTypePrediction: Sendable, Hashable {
    /// The type.
    package var type: ThrowType
    /// Its confidence, 0...1.
    package var confidence: Float

    /// Creates a prediction; the confidence is 0...1.
    package init(_ type: ThrowType, confidence: Float) { (self.type, self.confidence) = (type, confidence) }
}

/// Classifies a throw by the thrower's movement.
package protocol ThrowTypeClassifier: Sendable {
    /// Returns the type of a throw; nil if the movement does not show it.
    ///
    /// `poses` are the thrower's around the release, in order of time (seconds); `aspectRatio` is width / height.
    func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction?
}

/// The types of throws.
package enum ThrowType: String, CaseIterable, Codable, Sendable {
    /// The hand above the shoulder.
    case overhand = "Overhand"
    /// The arm swung from below.
    case underhand = "Underhand"
    /// The arm swung from below, under a lifted leg.
    case underleg = "Underleg"
    /// None of these, or the thrower was not in view.
    case none = "None"

    /// Parses a classifier's label, ignoring case; nil if it names no throw type.
    init?(label: String) {
        let name = label.lowercased()
        guard let type = ThrowType.allCases.first(where: { $0.rawValue.lowercased() == name }) else { return nil }
        self = type
    }
}
