public import KinemaCore

/// Tells from frame-to-frame movements whether a camera stands still (Apple's sample Action & Vision).
///
/// It needs more than 15 movements; the scene is stable when they add up to less than 10 pixels, |sum of tx| + |sum of
/// ty|, and otherwise the history is cleared and begins anew.
public struct SceneStability: Sendable, Hashable {
    /// What the movements so far say.
    public enum Verdict: String, Sendable, Hashable, Codable {
        /// Too few movements yet.
        case unknown
        /// The camera stands still.
        case stable
        /// The camera moved; the history has been cleared.
        case unstable
    }

    /// How many movements there must be more than (`sceneStabilityRequiredHistoryLength` of the sample).
    public static let requiredHistoryLength = 15
    /// What they must stay below when added up, pixels (a constant of the sample).
    public static let limit = 10.0

    private var sum = SIMD2(0.0, 0.0)
    /// How many movements the history holds.
    public private(set) var sampleCount = 0

    /// Begins without a history.
    public init() {}

    /// Takes the next movement, in pixels, and judges the scene.
    public mutating func update(tx: Double, ty: Double) -> Verdict {
        sum += SIMD2(tx, ty)
        sampleCount += 1
        guard sampleCount > Self.requiredHistoryLength else { return .unknown }
        // Not a number is not stable either.
        if abs(sum.x) + abs(sum.y) < Self.limit { return .stable }
        reset()
        return .unstable
    }

    /// Takes the next observation and judges the scene.
    public mutating func update(_ observation: ImageTranslationAlignmentObservation) -> Verdict {
        update(tx: Double(observation.alignmentTransform.tx), ty: Double(observation.alignmentTransform.ty))
    }

    /// Clears the history.
    public mutating func reset() {
        self = SceneStability()
    }
}
