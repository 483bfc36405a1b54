import Foundation
import KinemaCore

/// What is known of a measure for teaching: its mirror image, natural spread, views and words.
extension BodyMeasure {
    /// The measures of shown exercises; sides are separate.
    static let shown: [BodyMeasure] = [
        .leftKnee, .rightKnee, .leftHip, .rightHip, .leftElbow, .rightElbow, .leftArm, .rightArm, .leftHandHeight,
        .rightHandHeight, .leftArmOut, .rightArmOut, .leftArmAhead, .rightArmAhead, .leftThighOut, .rightThighOut,
        .leftThighAhead, .rightThighAhead, .leftShankAhead, .rightShankAhead, .bodyLine, .trunk, .leanForward,
        .leanSideways, .twist, .head, .legSpread, .kneeGap, .ankleGap, .handGap, .hipHeight, .hipRise, .shoulderRise,
        .handRise,
    ]

    /// Whether only its change during a repetition has a meaning.
    var isRelative: Bool { [.hipRise, .shoulderRise, .handRise].contains(self) }

    /// The measure that shows the same in the mirror image, and the sign of its value there.
    var mirrored: (measure: BodyMeasure, sign: Double) {
        // The sides of a measure follow each other.
        if side != nil, let place = Self.shown.firstIndex(of: self) { return (Self.shown[place ^ 1], 1) }
        return (self, self == .leanSideways || self == .twist ? -1 : 1)
    }

    /// The standard deviations from one repetition to the next, and between people who do the same, in its unit.
    ///
    /// The first is the median of 157 sets of real recordings: people's own variation and the pose model's noise. The
    /// second is that of ten movements done well by ten people in UI-PRMD (Vakanski et al., Data 3(1):2, 2018), measured
    /// with markers.
    var naturalSpread: (repetitions: Double, people: Double) {
        switch self {
        case .knee, .leftKnee, .rightKnee: (5.5, 5.9)
        case .hip, .leftHip, .rightHip: (5.7, 5.8)
        case .elbow, .leftElbow, .rightElbow: (6.1, 9.4)
        case .arm, .leftArm, .rightArm: (6.3, 8.1)
        case .leftArmOut, .rightArmOut: (5, 6.2)
        case .leftArmAhead, .rightArmAhead: (6.1, 6.4)
        case .leftThighOut, .rightThighOut: (3.2, 3.5)
        case .leftThighAhead, .rightThighAhead: (5.4, 6.9)
        case .leftShankAhead, .rightShankAhead: (5.1, 4.9)
        case .bodyLine: (3.7, 4)
        case .trunk: (2.7, 2.7)
        case .leanForward: (3, 3.9)
        case .leanSideways: (1.2, 1.8)
        case .twist: (2.1, 3.7)
        case .head: (4.6, 7.6)
        case .legSpread: (3.2, 5.5)
        case .hipSplit, .view: (6, 6)
        case .handHeight, .leftHandHeight, .rightHandHeight: (0.067, 0.1)
        case .kneeGap: (0.054, 0.12)
        case .ankleGap, .stride: (0.068, 0.14)
        case .handGap: (0.093, 0.18)
        case .hipHeight: (0.056, 0.15)
        // Heights in the picture also change with the camera's height and distance.
        case .hipRise, .shoulderRise, .ankleRise: (0.05, 0.1)
        case .handRise: (0.065, 0.12)
        case .chestUp, .armSideways, .armForward: (0.1, 0.1)
        }
    }

    /// The views in which it can be judged: angles in a plane of the body do not show along that plane, where the
    /// model's depth is off by tens of degrees.
    var judgedViews: Set<BodyView> {
        switch self {
        case .leftArmOut, .rightArmOut, .leftThighOut, .rightThighOut, .leanSideways, .legSpread, .kneeGap, .ankleGap,
            .handGap, .twist:
            [.front, .diagonal]
        case .leftKnee, .rightKnee, .leftHip, .rightHip, .leftArmAhead, .rightArmAhead, .leftThighAhead,
            .rightThighAhead, .leftShankAhead, .rightShankAhead, .bodyLine, .leanForward, .head:
            [.side, .diagonal]
        default: Set(BodyView.allCases)
        }
    }

    /// Measures of which one finding says enough.
    var family: Int {
        switch self {
        case .trunk, .leanForward, .bodyLine: 0
        case .leftHip, .rightHip, .leftThighAhead, .rightThighAhead: 1
        case .leftKnee, .rightKnee, .leftShankAhead, .rightShankAhead: 2
        case .leftElbow, .rightElbow: 3
        case .leftArm, .rightArm, .leftArmOut, .rightArmOut, .leftArmAhead, .rightArmAhead: 4
        case .leftHandHeight, .rightHandHeight, .handRise: 5
        case .kneeGap, .leftThighOut, .rightThighOut: 6
        case .ankleGap, .legSpread: 7
        case .hipHeight, .hipRise, .shoulderRise: 8
        default: 10 + rawValue
        }
    }

    /// The smallest difference that a person can act on, in its unit.
    var leastDifference: Double { unit == .degrees ? 8 : 0.12 }

    /// The side, if it is of one.
    var side: BodySide? { name.hasPrefix("left") ? .left : name.hasPrefix("right") ? .right : nil }

    /// The body part, without its side.
    var part: String {
        switch self {
        case .knee, .leftKnee, .rightKnee: "knee"
        case .hip, .leftHip, .rightHip: "hip"
        case .elbow, .leftElbow, .rightElbow: "elbow"
        case .arm, .leftArm, .rightArm: "arm"
        case .leftArmOut, .rightArmOut, .leftArmAhead, .rightArmAhead, .armSideways, .armForward: "upper arm"
        case .leftThighOut, .rightThighOut, .leftThighAhead, .rightThighAhead: "thigh"
        case .leftShankAhead, .rightShankAhead: "lower leg"
        case .handHeight, .leftHandHeight, .rightHandHeight: "hand"
        case .trunk, .leanForward, .leanSideways, .chestUp, .view: "trunk"
        case .twist, .shoulderRise: "shoulders"
        case .head: "head"
        case .legSpread, .hipSplit: "legs"
        case .kneeGap: "knees"
        case .ankleGap, .stride, .ankleRise: "feet"
        case .handGap, .handRise: "hands"
        case .bodyLine, .hipHeight, .hipRise: "hips"
        }
    }

    /// The words for more and for less than expected, with @ for the amount.
    private var directions: (more: String, less: String) {
        switch self {
        case .knee, .leftKnee, .rightKnee, .hip, .leftHip, .rightHip, .elbow, .leftElbow, .rightElbow:
            ("@ less bent", "@ more bent")
        case .arm, .leftArm, .rightArm: ("@ farther from the trunk", "@ closer to the trunk")
        case .leftArmOut, .rightArmOut, .leftThighOut, .rightThighOut, .armSideways: ("@ farther out", "@ farther in")
        case .leftArmAhead, .rightArmAhead, .leftThighAhead, .rightThighAhead, .leftShankAhead, .rightShankAhead,
            .armForward:
            ("@ farther forward", "@ farther back")
        case .trunk: ("leans @ more", "leans @ less")
        case .leanForward: ("leans @ more forward", "leans @ less forward")
        case .leanSideways: ("leans @ more to the left", "leans @ more to the right")
        case .twist: ("turned @ more to the left", "turned @ more to the right")
        case .head: ("bowed @ more", "bowed @ less")
        case .legSpread, .kneeGap, .ankleGap, .handGap, .hipSplit, .stride: ("@ farther apart", "@ closer together")
        case .bodyLine: ("@ lower between shoulders and feet", "@ higher between shoulders and feet")
        case .handHeight, .leftHandHeight, .rightHandHeight, .hipHeight, .hipRise, .shoulderRise, .handRise, .ankleRise,
            .chestUp, .view:
            ("@ higher", "@ lower")
        }
    }

    /// A difference in words, such as "right knee 14 degrees less bent".
    func words(_ difference: Double, bothSides: Bool = false) -> String {
        let amount =
            unit == .degrees
            ? "\(Int(clamping: abs(difference).rounded())) degrees"
            : "\(Int(clamping: (abs(difference) * 100).rounded())) %" + (unit == .share ? "" : " of the trunk's length")
        let way = (difference > 0 ? directions.more : directions.less).replacing("@", with: amount)
        let who = bothSides ? "both \(part == "hand" ? "hands" : part + "s")" : (side.map { "\($0) " } ?? "") + part
        return "\(who) \(way)"
    }
}
