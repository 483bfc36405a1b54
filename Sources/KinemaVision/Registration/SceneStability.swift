import KinemaCore

/// Detects a still camera, as in Apple's sample Action & Vision: over more than 15 frames the absolute sums of tx and
/// of ty add up to less than 10 pixels. Otherwise the history is cleared.
package struct SceneStability: Sendable, Hashable {
    package enum Verdict: String, Sendable, Hashable, Codable {
        /// There are too few translations yet.
        case unknown
        case stable
        /// The camera has moved; the history has been cleared.
        case unstable
    }

    /// The number of translations that a verdict must exceed (the sample's `sceneStabilityRequiredHistoryLength`).
    static let requiredHistoryLength = 15
    /// The sum that translations of a stable scene stay below, in pixels (a constant of the sample).
    static let limit = 10.0

    private var sum = SIMD2(0.0, 0.0)
    private var sampleCount = 0

    package init() {}

    /// Adds a translation in pixels and returns the state of the scene.
    mutating func update(tx: Double, ty: Double) -> Verdict {
        sum += SIMD2(tx, ty)
        sampleCount += 1
        guard sampleCount > Self.requiredHistoryLength else { return .unknown }
        // False for NaN as well.
        if abs(sum.x) + abs(sum.y) < Self.limit { return .stable }
        self = SceneStability()
        return .unstable
    }

    package mutating func update(_ observation: ImageTranslationAlignmentObservation) -> Verdict {
        update(tx: Double(observation.alignmentTransform.tx), ty: Double(observation.alignmentTransform.ty))
    }
}
