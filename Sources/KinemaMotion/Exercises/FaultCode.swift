package enum FaultCode: String, Sendable, Hashable, CaseIterable, Codable {
    /// The movement does not go far enough.
    case shallow
    /// The movement does not return to the fully extended resting posture.
    case notLockedOut = "not_locked_out"
    case kneesIn = "knees_in"
    /// The hips hang below the line from shoulders to feet.
    case hipsSagging = "hips_sagging"
    /// The hips stick out above that line.
    case hipsHigh = "hips_high"
    /// The trunk leans farther than it should.
    case leaning
    /// The trunk swings to help the arms.
    case swinging
    /// One side goes farther than the other.
    case uneven
    /// The movement is faster than can be controlled.
    case tooFast = "too_fast"
    /// The elbows bend where the arms should stay straight.
    case armsBent = "arms_bent"
    /// The elbows leave the trunk's side.
    case elbowsDrifting = "elbows_drifting"
    /// The legs stay too close together.
    case legsNarrow = "legs_narrow"
    /// The movement is slower than it should be.
    case tooSlow = "too_slow"
    /// A measure differs from the demonstration.
    case different
    /// A fault that was taught by examples.
    case taught
}
