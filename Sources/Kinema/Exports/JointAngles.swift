import Foundation
import KinemaCore

/// Angles of a body as Sports2D names and signs them, in degrees.
///
/// Joint angles are those of the body's side view, positive for flexion, and 0 for somebody who stands upright with
/// hanging arms. Segment angles are those above the level: a thigh that hangs is at -90, a trunk that stands at 90.
struct JointAngles {
    /// The names in the order of the columns; Sports2D's without wrists and head, for which there is no marker of its.
    static let names: [String] = rules.map(\.name)

    private enum Measure {
        /// From one segment to the next, over joints in a row; then a turn is added and the sign chosen.
        case joint([JointKey], offset: Double, sign: Double)
        /// Of the way from the second joint to the first above the level.
        case segment(JointKey, JointKey)
        /// The same of a line from left to right, which has no front: -90 to 90.
        case level(JointKey, JointKey)
    }

    private static let rules: [(name: String, measure: Measure)] = [
        ("Right ankle", .joint([.rightKnee, .rightAnkle, .rightFootTip, .rightHeel], offset: 90, sign: 1)),
        ("Left ankle", .joint([.leftKnee, .leftAnkle, .leftFootTip, .leftHeel], offset: 90, sign: 1)),
        ("Right knee", .joint([.rightAnkle, .rightKnee, .rightHip], offset: -180, sign: 1)),
        ("Left knee", .joint([.leftAnkle, .leftKnee, .leftHip], offset: -180, sign: 1)),
        ("Right hip", .joint([.rightKnee, .rightHip, .root, .neck], offset: 0, sign: -1)),
        ("Left hip", .joint([.leftKnee, .leftHip, .root, .neck], offset: 0, sign: -1)),
        ("Right shoulder", .joint([.rightElbow, .rightShoulder, .root, .neck], offset: 0, sign: -1)),
        ("Left shoulder", .joint([.leftElbow, .leftShoulder, .root, .neck], offset: 0, sign: -1)),
        ("Right elbow", .joint([.rightWrist, .rightElbow, .rightShoulder], offset: 180, sign: -1)),
        ("Left elbow", .joint([.leftWrist, .leftElbow, .leftShoulder], offset: 180, sign: -1)),
        ("Right foot", .segment(.rightFootTip, .rightHeel)), ("Left foot", .segment(.leftFootTip, .leftHeel)),
        ("Right shank", .segment(.rightAnkle, .rightKnee)), ("Left shank", .segment(.leftAnkle, .leftKnee)),
        ("Right thigh", .segment(.rightKnee, .rightHip)), ("Left thigh", .segment(.leftKnee, .leftHip)),
        ("Pelvis", .level(.leftHip, .rightHip)), ("Trunk", .segment(.neck, .root)),
        ("Shoulders", .level(.leftShoulder, .rightShoulder)),
        ("Right arm", .segment(.rightElbow, .rightShoulder)), ("Left arm", .segment(.leftElbow, .leftShoulder)),
        ("Right forearm", .segment(.rightWrist, .rightElbow)), ("Left forearm", .segment(.leftWrist, .leftElbow)),
    ]

    /// The angles of a body seen from its right side: x ahead, y up, any unit; nil where a joint is missing.
    static func angles(_ place: (JointKey) -> SIMD2<Double>?) -> [Double?] {
        rules.map { angle($0.measure, place) }
    }

    /// The same angles of a body seen from its left side, given as if that were its right: x is turned around.
    static func mirrored(_ angles: [Double?]) -> [Double?] {
        zip(rules, angles).map { rule, angle in
            guard let angle else { return nil }
            switch rule.measure {
            case .segment: return wrapped(180 - angle)
            case .level: return angle == 90 ? 90 : -angle
            case .joint(_, let offset, let sign): return wrapped((2 * offset - angle * sign) * sign)
            }
        }
    }

    private static func angle(_ measure: Measure, _ place: (JointKey) -> SIMD2<Double>?) -> Double? {
        switch measure {
        case .segment(let to, let from):
            guard let way = difference(to, from, place) else { return nil }
            return degrees(atan2(way.y, way.x))
        case .level(let to, let from):
            guard let way = difference(to, from, place) else { return nil }
            let angle = degrees(atan2(way.y, way.x))
            return angle > 90 ? angle - 180 : angle <= -90 ? angle + 180 : angle
        case .joint(let keys, let offset, let sign):
            // Three joints meet in the middle one; four are two segments, from the first to the second.
            let (one, other) =
                keys.count == 3
                ? (difference(keys[0], keys[1], place), difference(keys[2], keys[1], place))
                : (difference(keys[1], keys[0], place), difference(keys[3], keys[2], place))
            guard let one, let other else { return nil }
            let turn = atan2(one.x * other.y - one.y * other.x, one.x * other.x + one.y * other.y)
            return wrapped((degrees(turn) + offset) * sign)
        }
    }

    private static func difference(
        _ to: JointKey, _ from: JointKey, _ place: (JointKey) -> SIMD2<Double>?
    ) -> SIMD2<Double>? {
        guard let end = place(to), let start = place(from), end != start else { return nil }
        return end - start
    }

    private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

    /// Within half a turn of 0.
    private static func wrapped(_ angle: Double) -> Double {
        let rest = (angle + 180).truncatingRemainder(dividingBy: 360)
        return (rest < 0 ? rest + 360 : rest) - 180
    }
}
