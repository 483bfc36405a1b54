import Foundation
package import KinemaCore

/// What can be wrong with a repetition.
package enum FaultCode: String, Sendable, Hashable, CaseIterable, Codable {
    /// The movement does not go far enough.
    case shallow
    /// The movement does not come back to the stretched resting posture.
    case notLockedOut = "not_locked_out"
    /// The knees fall inward.
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
    /// The elbows bend where the arms should stay stretched.
    case armsBent = "arms_bent"
    /// The elbows leave the trunk's side.
    case elbowsDrifting = "elbows_drifting"
    /// The legs stay too close.
    case legsNarrow = "legs_narrow"
}

/// A fault found in a repetition.
package struct Fault: Sendable, Hashable {
    /// The kind of fault.
    package var code: FaultCode
    /// The joint where it is worst; nil for a fault of the whole movement, such as its tempo.
    package var joint: JointKey?
    /// All joints concerned.
    package var joints: [JointKey]
    /// The phase in which it showed, by the exercise's own name.
    package var phase: String
    /// The measured value: degrees, torso lengths or seconds.
    package var measured: Double
    /// The expected value, in the same unit.
    package var expected: Double
    /// The allowed difference.
    package var tolerance: Double
    /// The unit of the three numbers.
    package var unit: Unit

    /// What the numbers of a fault are in.
    package enum Unit: String, Sendable, Hashable, Codable {
        /// An angle.
        case degrees
        /// A length, in lengths of the person's trunk.
        case torsoLengths = "torso lengths"
        /// A part of something.
        case share
        /// A time.
        case seconds

        /// A number as precise as it is worth reading, without the unit's name.
        func text(_ value: Double) -> String { self == .degrees ? "\(Int(clamping: value))°" : value.text(2) }
    }
}

/// Joints that go together, for naming those a fault concerns.
extension [JointKey] {
    /// Both shoulders.
    package static let shoulders: [JointKey] = [.leftShoulder, .rightShoulder]
    /// Both elbows.
    package static let elbows: [JointKey] = [.leftElbow, .rightElbow]
    /// Both wrists.
    package static let wrists: [JointKey] = [.leftWrist, .rightWrist]
    /// Both hips.
    package static let hips: [JointKey] = [.leftHip, .rightHip]
    /// Both knees.
    package static let knees: [JointKey] = [.leftKnee, .rightKnee]
    /// Both ankles.
    package static let ankles: [JointKey] = [.leftAnkle, .rightAnkle]
    /// Both shoulders and both hips.
    package static let trunk: [JointKey] = shoulders + hips
}
