package import KinemaCore

/// Something measured on a body in one picture that exercises are described by.
///
/// Angles are in degrees, lengths in torso lengths. Those of limbs exist for each side and as the mean of both, in which
/// a side counts by how well it is seen.
package enum BodyMeasure: Int, Sendable, Hashable, CaseIterable {
    /// The angle at the knee between thigh and shank; 180 stretched.
    case knee, leftKnee, rightKnee
    /// The angle at the hip between trunk and thigh; 180 stretched.
    case hip, leftHip, rightHip
    /// The angle at the elbow; 180 stretched.
    case elbow, leftElbow, rightElbow
    /// The angle between the upper arm and the trunk: 0 hanging down, 180 overhead.
    case arm, leftArm, rightArm
    /// The angle at the hip between the shoulder and the ankle, above 180 when the hips hang below that line.
    case bodyLine
    /// The trunk against the vertical: 0 upright, 90 level, 180 head down.
    case trunk
    /// Which way the chest faces: 1 up, 0 level, -1 down.
    case chestUp
    /// The angle between the legs, seen from the hips.
    case legSpread
    /// The distance of the knees as a share of what straight legs between hips and ankles would have.
    case kneeGap
    /// The distance of the ankles from each other along the body's front, torso lengths.
    case stride
    /// The wrist's height above the shoulder, torso lengths.
    case handHeight, leftHandHeight, rightHandHeight
    /// How far the upper arms point sideways and forward: 1 wholly, 0 not at all, below 0 inward and backward.
    case armSideways, armForward
    /// How far the angles at the two hips differ.
    case hipSplit
    /// Heights in the picture above its lower edge, torso lengths.
    case hipRise, shoulderRise, handRise, ankleRise
    /// The hips' height above the ankles in the picture, torso lengths: about 1.7 standing, 0 lying or sitting on the floor.
    case hipHeight
    /// How the camera sees the body: 0 from the front, behind, head or feet, 90 from the side.
    case view

    /// Its name in files and messages, such as "leftKnee".
    package var name: String { "\(self)" }

    /// The joints it is taken from.
    package var joints: [JointKey] {
        switch self {
        case .leftKnee: [.leftHip, .leftKnee, .leftAnkle]
        case .rightKnee: [.rightHip, .rightKnee, .rightAnkle]
        case .leftHip: [.leftShoulder, .leftHip, .leftKnee]
        case .rightHip: [.rightShoulder, .rightHip, .rightKnee]
        case .leftElbow: [.leftShoulder, .leftElbow, .leftWrist]
        case .rightElbow: [.rightShoulder, .rightElbow, .rightWrist]
        case .leftArm: [.leftHip, .leftShoulder, .leftElbow]
        case .rightArm: [.rightHip, .rightShoulder, .rightElbow]
        case .leftHandHeight: [.leftShoulder, .leftWrist]
        case .rightHandHeight: [.rightShoulder, .rightWrist]
        case .knee, .hip, .elbow, .arm, .handHeight: sides.map { $0.left.joints + $0.right.joints } ?? []
        case .hipSplit: .shoulders + .hips + .knees
        case .bodyLine: .trunk + .ankles
        case .trunk, .chestUp, .view: .trunk
        case .legSpread, .stride, .hipHeight: .hips + .ankles
        case .kneeGap: .hips + .knees + .ankles
        case .armSideways, .armForward: .shoulders + .elbows
        case .hipRise: .hips
        case .shoulderRise: .shoulders
        case .handRise: .wrists
        case .ankleRise: .ankles
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

    /// What its numbers are in.
    var unit: Fault.Unit {
        switch self {
        case .knee, .leftKnee, .rightKnee, .hip, .leftHip, .rightHip, .elbow, .leftElbow, .rightElbow, .arm, .leftArm,
            .rightArm, .bodyLine, .hipSplit, .trunk, .legSpread, .view:
            .degrees
        case .chestUp, .kneeGap, .armSideways, .armForward: .share
        case .stride, .handHeight, .leftHandHeight, .rightHandHeight, .hipRise, .shoulderRise, .handRise, .ankleRise,
            .hipHeight:
            .torsoLengths
        }
    }
}
