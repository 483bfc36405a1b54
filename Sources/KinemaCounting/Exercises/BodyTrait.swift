import Foundation
package import KinemaCore

package struct BodyTrait: Sendable, Hashable, Encodable {
    package enum Statistic: String, Sendable, Hashable, CaseIterable, Codable {
        /// The smallest, largest and middle value, and the range, each without the outermost twentieth at both ends.
        case low, high, middle, range
    }

    package var measure: BodyMeasure
    package var statistic: Statistic
    package var range: ClosedRange<Double>
    /// The distance from the range that clearly contradicts the exercise.
    package var tolerance: Double

    package init(_ measure: BodyMeasure, _ statistic: Statistic, _ range: ClosedRange<Double>, tolerance: Double) {
        (self.measure, self.statistic, self.range, self.tolerance) = (measure, statistic, range, tolerance)
    }

    /// The distance of a value from the range, in tolerances; 0 inside.
    func misfit(_ value: Double) -> Double { max(range.lowerBound - value, value - range.upperBound, 0) / tolerance }
}

struct TraitMisfit {
    let trait: BodyTrait
    let value: Double

    /// Such as "trunk middle 71, not 0 to 45".
    var text: String {
        let unit = trait.measure.unit
        return "\(trait.measure.name) \(trait.statistic.rawValue) \(unit.text(value)), not "
            + "\(unit.text(trait.range.lowerBound)) to \(unit.text(trait.range.upperBound))"
    }
}

extension Exercise {
    /// The fit of readings to the exercise's traits, 0...1.
    ///
    /// Each trait reduces it by the square of its misfit, up to a limit; missing measures reduce it a little.
    func fit(to window: some Collection<BodyReading>) -> Double {
        guard !window.isEmpty, !traits.isEmpty else { return 0 }
        let sum = traits.reduce(0.0) { sum, trait in
            guard let value = window.value(trait.measure, trait.statistic) else { return sum + 1 }
            let misfit = min(3, trait.misfit(value))
            return sum + misfit * misfit
        }
        return exp(-0.5 * sum)
    }

    /// The trait that readings show least; nil if all are shown.
    func worstTrait(in window: some Collection<BodyReading>) -> TraitMisfit? {
        let misfits = traits.compactMap { trait in
            window.value(trait.measure, trait.statistic).map { TraitMisfit(trait: trait, value: $0) }
        }
        return misfits.filter { $0.trait.misfit($0.value) > 0 }
            .max { $0.trait.misfit($0.value) < $1.trait.misfit($1.value) }
    }
}

package enum BodySide: String, Sendable, Hashable, CaseIterable, Codable {
    /// The person's own left or right.
    case left, right
}

package enum BodyView: String, Sendable, Hashable, CaseIterable, Codable {
    /// From the front or from behind; for a person who is lying, from the head or the feet.
    case front
    /// From between front and side.
    case diagonal
    /// From the left or the right.
    case side

    /// The view for `BodyMeasure.view`: thirds of the quarter turn.
    init(degrees: Float) { self = degrees < 30 ? .front : degrees < 60 ? .diagonal : .side }
}

/// A quantity measured on a body in one picture, used to define exercises.
///
/// Angles are in degrees, lengths in torso lengths. Limbs have a measure per side and the mean of both, weighted by
/// confidence.
package enum BodyMeasure: Int, Sendable, Hashable, CaseIterable {
    /// The angle at the knee between thigh and shank; 180 straight.
    case knee, leftKnee, rightKnee
    /// The angle at the hip between trunk and thigh; 180 straight.
    case hip, leftHip, rightHip
    /// The angle at the elbow; 180 straight.
    case elbow, leftElbow, rightElbow
    /// The angle between the upper arm and the trunk: 0 hanging down, 180 overhead.
    case arm, leftArm, rightArm
    /// The angle at the hip between the shoulder and the ankle, above 180 when the hips hang below that line.
    case bodyLine
    /// The trunk against the vertical: 0 upright, 90 level, 180 head down.
    case trunk
    /// The direction of the chest: 1 up, 0 level, -1 down.
    case chestUp
    /// The angle between the legs, seen from the hips.
    case legSpread
    /// The distance between the knees, as a share of that with straight legs.
    case kneeGap
    /// The distance between the ankles along the body's forward axis, torso lengths.
    case stride
    /// The wrist's height above the shoulder, torso lengths.
    case handHeight, leftHandHeight, rightHandHeight
    /// The sideways and forward components of the upper arms' direction; inward and backward are negative.
    case armSideways, armForward
    /// The difference between the angles at the two hips.
    case hipSplit
    /// Heights in the picture above its lower edge, torso lengths.
    case hipRise, shoulderRise, handRise, ankleRise
    /// The hips' height above the ankles in the picture, torso lengths: about 1.7 standing, 0 lying or sitting on a
    /// floor.
    case hipHeight
    /// The camera's view in degrees: 0 from the front, behind, head or feet, 90 from the side.
    case view
    /// The directions of a side's upper arm, thigh and shank relative to the trunk, degrees: out to the side, and ahead;
    /// inward and backward are negative.
    case leftArmOut, rightArmOut, leftArmAhead, rightArmAhead
    case leftThighOut, rightThighOut, leftThighAhead, rightThighAhead, leftShankAhead, rightShankAhead
    /// The trunk's lean, degrees: forward, and to the person's left.
    case leanForward, leanSideways
    /// The turn of the shoulders to the person's left of the hips, degrees.
    case twist
    /// The angle between the trunk's direction and the direction from the shoulders to the nose.
    case head
    /// The distances between the ankles and between the wrists, torso lengths.
    case ankleGap, handGap

    /// The name in files and messages, such as "leftKnee".
    package var name: String { "\(self)" }

    package var joints: [JointKey] {
        switch self {
        case .leftKnee: [.leftHip, .leftKnee, .leftAnkle]
        case .leftHip: [.leftShoulder, .leftHip, .leftKnee]
        case .leftElbow: [.leftShoulder, .leftElbow, .leftWrist]
        case .leftArm: [.leftHip, .leftShoulder, .leftElbow]
        case .leftHandHeight: [.leftShoulder, .leftWrist]
        case .leftArmOut, .leftArmAhead: [.leftShoulder, .leftElbow]
        case .leftThighOut, .leftThighAhead: [.leftHip, .leftKnee]
        case .leftShankAhead: [.leftKnee, .leftAnkle]
        case .rightKnee, .rightHip, .rightElbow, .rightArm, .rightHandHeight, .rightArmOut, .rightArmAhead,
            .rightThighOut, .rightThighAhead, .rightShankAhead:
            mirrored.measure.joints.map(\.mirrored)
        case .knee, .hip, .elbow, .arm, .handHeight: sides.map { $0.left.joints + $0.right.joints } ?? []
        case .hipSplit: .shoulders + .hips + .knees
        case .bodyLine: .trunk + .ankles
        case .trunk, .chestUp, .view, .leanForward, .leanSideways, .twist: .trunk
        case .legSpread, .stride, .hipHeight: .hips + .ankles
        case .kneeGap: .hips + .knees + .ankles
        case .armSideways, .armForward: .shoulders + .elbows
        case .head: [.nose] + .shoulders
        case .hipRise: .hips
        case .shoulderRise: .shoulders
        case .handGap, .handRise: .wrists
        case .ankleGap, .ankleRise: .ankles
        }
    }

    /// The measures of the left and the right side, of those that have sides.
    var sides: (left: BodyMeasure, right: BodyMeasure)? {
        switch self {
        case .knee: (.leftKnee, .rightKnee)
        case .hip: (.leftHip, .rightHip)
        case .elbow: (.leftElbow, .rightElbow)
        case .arm: (.leftArm, .rightArm)
        case .handHeight: (.leftHandHeight, .rightHandHeight)
        default: nil
        }
    }

    package var unit: Fault.Unit {
        switch self {
        case .chestUp, .kneeGap, .armSideways, .armForward: .share
        case .stride, .handHeight, .leftHandHeight, .rightHandHeight, .hipRise, .shoulderRise, .handRise, .ankleRise,
            .hipHeight, .ankleGap, .handGap:
            .torsoLengths
        default: .degrees
        }
    }
}
