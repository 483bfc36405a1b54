import Foundation
package import KinemaCore

/// The angles of a body with Sports2D's names and signs, in degrees: the one definition for exports and measuring.
///
/// Joint angles are those of the side view, positive for flexion, and 0 for a person standing with hanging arms.
/// Segment angles are measured from the horizontal: a hanging thigh is at -90, an upright trunk at 90.
package enum JointAngles {
    /// The names in column order: Sports2D's without wrists and head, which lack its markers.
    package static let names: [String] = rules.map(\.name)

    private enum Measure {
        /// The angle between segments over consecutive joints, plus an offset, times the sign.
        case joint([JointKey], offset: Double, sign: Double)
        /// The direction from the second joint to the first, above the horizontal.
        case segment(JointKey, JointKey)
        /// The same for a left-right line, which has no front: -90 to 90.
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

    /// The angles of a body seen from its right side: x forward, y up, any unit; nil for missing joints.
    package static func angles(_ position: (JointKey) -> SIMD2<Double>?) -> [Double?] {
        rules.map { angle($0.measure, position) }
    }

    /// Converts the angles of a body seen from its left side but measured as if from its right: mirrors x.
    package static func mirrored(_ angles: [Double?]) -> [Double?] {
        zip(rules, angles).map { rule, angle in
            guard let angle else { return nil }
            switch rule.measure {
            case .segment: return wrapped(180 - angle)
            case .level: return angle == 90 ? 90 : -angle
            case .joint(_, let offset, let sign): return wrapped((2 * offset - angle * sign) * sign)
            }
        }
    }

    /// The joints that each angle needs, in column order.
    package static let joints: [[JointKey]] = rules.map { rule in
        switch rule.measure {
        case .joint(let keys, _, _): keys
        case .segment(let to, let from), .level(let to, let from): [to, from]
        }
    }

    /// The columns of left-right lines, which only a view from the front or the back shows.
    package static let levels: [Bool] = rules.map { if case .level = $0.measure { true } else { false } }

    /// The sum of the horizontal directions of both feet; positive towards the picture's right.
    package static func toeDirection(_ position: (JointKey) -> SIMD2<Double>?) -> Double? {
        let feet = LimbJoints.both.compactMap { side in
            position(side.toe).flatMap { toe in position(side.heel).map { toe.x - $0.x } }
        }
        return feet.isEmpty ? nil : feet.reduce(0, +)
    }

    /// The direction of the toes in each frame, smoothed: whether the person faces the picture's left.
    ///
    /// `toes` are horizontal distances from heel to toe, positive to the right; a window of half a second at 30 frames a
    /// second to each side keeps a single step from turning anyone.
    package static func facesLeft(_ toes: [Double?], halfWindow: Int = 15) -> [Bool] {
        var sums = [0.0]
        for toe in toes { sums.append((sums.last ?? 0) + (toe ?? 0)) }
        return toes.indices.map { sums[min(toes.count, $0 + halfWindow + 1)] - sums[max(0, $0 - halfWindow)] < 0 }
    }

    /// Unwrapped degrees, as near to 0 as possible; nil stays nil.
    package static func unwrapped(_ angles: [Double?]) -> [Double?] {
        var last: Double?
        var sum = (angles: 0.0, count: 0.0)
        let near = angles.map { angle -> Double? in
            guard let angle else { return nil }
            let value = angle + 360 * (((last ?? angle) - angle) / 360).rounded()
            last = value
            sum = (sum.angles + value, sum.count + 1)
            return value
        }
        let shift = sum.count > 0 ? 360 * (sum.angles / sum.count / 360).rounded() : 0
        return shift == 0 ? near : near.map { $0.map { $0 - shift } }
    }

    private static func angle(_ measure: Measure, _ position: (JointKey) -> SIMD2<Double>?) -> Double? {
        switch measure {
        case .segment(let to, let from), .level(let to, let from):
            guard let direction = difference(to, from, position) else { return nil }
            let angle = degrees(atan2(direction.y, direction.x))
            guard case .level = measure else { return angle }
            return angle > 90 ? angle - 180 : angle <= -90 ? angle + 180 : angle
        case .joint(let keys, let offset, let sign):
            // Three joints share the middle one; four form two segments, from the first to the second.
            let (one, other) =
                keys.count == 3
                ? (difference(keys[0], keys[1], position), difference(keys[2], keys[1], position))
                : (difference(keys[1], keys[0], position), difference(keys[3], keys[2], position))
            guard let one, let other else { return nil }
            let turn = atan2(one.x * other.y - one.y * other.x, one.x * other.x + one.y * other.y)
            return wrapped((degrees(turn) + offset) * sign)
        }
    }

    private static func difference(
        _ to: JointKey, _ from: JointKey, _ position: (JointKey) -> SIMD2<Double>?
    ) -> SIMD2<Double>? {
        guard let end = position(to), let start = position(from), end != start else { return nil }
        return end - start
    }

    private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

    /// The angle within half a turn of another.
    static func wrapped(_ angle: Double, around middle: Double) -> Double { middle + wrapped(angle - middle) }

    /// The angle within half a turn of 0.
    private static func wrapped(_ angle: Double) -> Double {
        let remainder = (angle + 180).truncatingRemainder(dividingBy: 360)
        return (remainder < 0 ? remainder + 360 : remainder) - 180
    }
}

/// One joint over time: picture heights or metres, x to the right, y up; NaN where missing.
struct JointPath: Sendable {
    var x: [Double]
    var y: [Double]
    /// 0...1; 0 where the position is filled, replaced or missing.
    var confidence: [Double]

    subscript(index: Int) -> SIMD2<Double>? {
        x[index].isFinite && y[index].isFinite ? SIMD2(x[index], y[index]) : nil
    }

    init(x: [Double], y: [Double], confidence: [Double]) { (self.x, self.y, self.confidence) = (x, y, confidence) }

    /// The midpoint of two joints over time.
    init(middle one: JointPath, _ other: JointPath) {
        x = zip(one.x, other.x).map { ($0 + $1) / 2 }
        y = zip(one.y, other.y).map { ($0 + $1) / 2 }
        confidence = zip(one.confidence, other.confidence).map { min($0, $1) }
    }

    func map(_ change: ([Double]) -> [Double]) -> JointPath {
        JointPath(x: change(x), y: change(y), confidence: confidence)
    }
}

struct LimbJoints: Sendable {
    let name: String
    let hip, knee, ankle, heel, toe, shoulder, elbow, wrist: JointKey

    static let left = LimbJoints(
        name: "left", hip: .leftHip, knee: .leftKnee, ankle: .leftAnkle, heel: .leftHeel, toe: .leftFootTip,
        shoulder: .leftShoulder, elbow: .leftElbow, wrist: .leftWrist)
    static let right = LimbJoints(
        name: "right", hip: .rightHip, knee: .rightKnee, ankle: .rightAnkle, heel: .rightHeel, toe: .rightFootTip,
        shoulder: .rightShoulder, elbow: .rightElbow, wrist: .rightWrist)
    static let both = [left, right]

    var foot: [JointKey] { [ankle, heel, toe] }
}
