import Foundation
package import KinemaCore

package struct Fault: Sendable, Hashable {
    package var code: FaultCode
    /// The joint where the fault is worst; nil for a fault of the whole movement, such as its tempo.
    package var joint: JointKey?
    package var joints: [JointKey]
    /// The phase in which it appeared, by the exercise's own name.
    package var phase: String
    /// The measured and the expected value, and the tolerated difference, all in the unit.
    package var measured, expected, tolerance: Double
    package var unit: Unit
    /// The difference from the demonstration, in words for people, such as "right knee 14 degrees less bent at the
    /// turn".
    package var words: String?
    /// The measure of a shown exercise that differs; nil for tempo.
    var measure: BodyMeasure?
    /// For words in other languages: the measure that differs, without its side; and the side of a measure or of the
    /// smaller range: left, right or both.
    package var measureName: String?, side: String?

    package enum Unit: String, Sendable, Hashable, Codable {
        case degrees
        /// A length, in lengths of the person's trunk.
        case torsoLengths = "torso lengths"
        case share
        case seconds

        /// The number with a readable precision, without the unit's name.
        func text(_ value: Double) -> String { self == .degrees ? "\(Int(clamping: value))°" : value.text(2) }
    }
}

extension [JointKey] {
    package static let shoulders: [JointKey] = [.leftShoulder, .rightShoulder]
    package static let elbows: [JointKey] = [.leftElbow, .rightElbow]
    package static let wrists: [JointKey] = [.leftWrist, .rightWrist]
    package static let hips: [JointKey] = [.leftHip, .rightHip]
    package static let knees: [JointKey] = [.leftKnee, .rightKnee]
    package static let ankles: [JointKey] = [.leftAnkle, .rightAnkle]
    package static let trunk: [JointKey] = shoulders + hips
}
