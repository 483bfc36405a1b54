import Foundation
package import KinemaCore

/// The positions of the thirteen joints of `BodyJoints` at one time: x and y of each in 26 of 32 lanes.
struct JointRow: Sendable {
    /// Eight lanes each: processors without wide registers would spill a 32-lane vector to the stack.
    private var a = SIMD8<Float>(), b = SIMD8<Float>(), c = SIMD8<Float>(), d = SIMD8<Float>()

    static let joints = BodyJoints.keys.count
    static let lanes = 2 * joints

    init() {}

    init(_ points: [SIMD2<Float>]) {
        for (joint, point) in points.enumerated() { (self[2 * joint], self[2 * joint + 1]) = (point.x, point.y) }
    }

    @inline(__always)
    private init(_ a: SIMD8<Float>, _ b: SIMD8<Float>, _ c: SIMD8<Float>, _ d: SIMD8<Float>) {
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    subscript(lane: Int) -> Float {
        get {
            switch lane >> 3 {
            case 0: a[lane & 7]
            case 1: b[lane & 7]
            case 2: c[lane & 7]
            default: d[lane & 7]
            }
        }
        set {
            switch lane >> 3 {
            case 0: a[lane & 7] = newValue
            case 1: b[lane & 7] = newValue
            case 2: c[lane & 7] = newValue
            default: d[lane & 7] = newValue
            }
        }
    }

    /// The joints relative to the centre of the shoulders and hips, which removes camera movement.
    var centred: JointRow {
        let (shoulders, hips) = (BodyJoints.shoulders, BodyJoints.hips)
        let trunk = (point(shoulders.0) + point(shoulders.1) + point(hips.0) + point(hips.1)) / 4
        return self - JointRow(SIMD8(lowHalf: trunk.twice, highHalf: trunk.twice))
    }

    /// The joints of the left side in place of the right side's, and the other way round: after the first joint, those of
    /// each pair lie side by side (`BodyJoints.pairs`).
    var sidesExchanged: JointRow {
        func joined(_ one: SIMD2<Float>, _ two: SIMD8<Float>, _ four: SIMD2<Float>) -> SIMD8<Float> {
            SIMD8(
                lowHalf: SIMD4(lowHalf: one, highHalf: two.highHalf.lowHalf),
                highHalf: SIMD4(lowHalf: two.lowHalf.highHalf, highHalf: four))
        }
        return JointRow(
            joined(a.lowHalf.lowHalf, a, b.lowHalf.lowHalf), joined(a.highHalf.highHalf, b, c.lowHalf.lowHalf),
            joined(b.highHalf.highHalf, c, d.lowHalf.lowHalf),
            SIMD8(lowHalf: SIMD4(lowHalf: c.highHalf.highHalf, highHalf: SIMD2()), highHalf: SIMD4()))
    }

    /// With x in the other direction.
    var xReversed: JointRow {
        let signs = SIMD8<Float>(-1, 1, -1, 1, -1, 1, -1, 1)
        return JointRow(a * signs, b * signs, c * signs, d * signs)
    }

    /// Repeats eight lanes.
    private init(_ eight: SIMD8<Float>) {
        (a, b, c) = (eight, eight, eight)
        (d[0], d[1]) = (eight[0], eight[1])
    }

    /// The joints' root mean square distance from their centroid: a body's apparent size.
    var spread: Float {
        var (sum, squares) = (SIMD2<Float>(), Float(0))
        for joint in 0..<Self.joints {
            let point = point(joint)
            sum += point
            squares += (point * point).sum()
        }
        let middle = sum / Float(Self.joints)
        return max(0, squares / Float(Self.joints) - (middle * middle).sum()).squareRoot()
    }

    /// The position of a joint.
    func point(_ joint: Int) -> SIMD2<Float> { SIMD2(self[2 * joint], self[2 * joint + 1]) }

    @inline(__always) static func + (x: JointRow, y: JointRow) -> JointRow {
        JointRow(x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d)
    }
    @inline(__always) static func - (x: JointRow, y: JointRow) -> JointRow {
        JointRow(x.a - y.a, x.b - y.b, x.c - y.c, x.d - y.d)
    }
    @inline(__always) static func * (x: JointRow, s: Float) -> JointRow { JointRow(x.a * s, x.b * s, x.c * s, x.d * s) }
    @inline(__always) static func += (x: inout JointRow, y: JointRow) { x = x + y }

    /// The lane-wise minimum and maximum.
    @inline(__always)
    static func ordered(_ x: JointRow, _ y: JointRow) -> (JointRow, JointRow) {
        @inline(__always) func ordered(_ x: SIMD8<Float>, _ y: SIMD8<Float>) -> (SIMD8<Float>, SIMD8<Float>) {
            let less = x .< y
            return (y.replacing(with: x, where: less), x.replacing(with: y, where: less))
        }
        let (a, b, c, d) = (ordered(x.a, y.a), ordered(x.b, y.b), ordered(x.c, y.c), ordered(x.d, y.d))
        return (JointRow(a.0, b.0, c.0, d.0), JointRow(a.1, b.1, c.1, d.1))
    }

    @inline(__always)
    func dot(_ y: JointRow) -> Float {
        let (half, other): (SIMD8<Float>, SIMD8<Float>) = (a * y.a + b * y.b, c * y.c + d * y.d)
        return Self.sum(half + other)
    }

    @inline(__always) var squared: Float { dot(self) }

    /// The sum of the absolute values.
    var absolute: Float {
        func absolute(_ x: SIMD8<Float>) -> SIMD8<Float> { x.replacing(with: -x, where: x .< 0) }
        return Self.sum(absolute(a) + absolute(b) + (absolute(c) + absolute(d)))
    }

    @inline(__always)
    private static func sum(_ eight: SIMD8<Float>) -> Float {
        let four = eight.lowHalf + eight.highHalf
        return four.x + four.y + (four.z + four.w)
    }

    static func mean(_ rows: some Collection<JointRow>) -> JointRow {
        var sum = JointRow()
        for row in rows { sum += row }
        return sum * (1 / Float(max(1, rows.count)))
    }
}

extension SIMD2<Float> {
    fileprivate var twice: SIMD4<Float> { SIMD4(lowHalf: self, highHalf: self) }
}

/// The thirteen joints that counting reads, in picture heights: x to the right, y up.
struct BodyJoints {
    static let keys: [JointKey] = [.nose] + BodySkeleton.limbs
    static let nose = 0
    static let shoulders = (1, 2)
    static let elbows = (3, 4)
    static let wrists = (5, 6)
    static let hips = (7, 8)
    static let knees = (9, 10)
    static let ankles = (11, 12)
    static let pairs = [shoulders, elbows, wrists, hips, knees, ankles]

    var points: [SIMD2<Float>]
    var confidences: [Float]

    /// Nil when too little of the trunk is visible to locate the body.
    init?(_ pose: Pose, aspectRatio: Float) {
        points = []
        confidences = []
        points.reserveCapacity(Self.keys.count)
        confidences.reserveCapacity(Self.keys.count)
        for key in Self.keys {
            let joint = pose.keypoints[key]
            points.append(SIMD2(Float(joint?.location.x ?? 0) * aspectRatio, Float(joint?.location.y ?? 0)))
            confidences.append(joint?.confidence ?? 0)
        }
        let shoulder = max(confidences[1], confidences[2])
        let hip = max(confidences[7], confidences[8])
        // Joints with zero confidence were left out on purpose, so require fewer.
        let enough = max(2, min(4, confidences.count(where: { $0 > 0 })))
        guard max(shoulder, hip) > 0.2, confidences.count(where: { $0 > 0.2 }) >= enough else { return nil }
    }

    /// The torso length that fits the visible segments whatever the body's orientation: projection only ever shortens a
    /// segment, so this takes the second largest estimate (the largest may be an error).
    ///
    /// Shares of body height from Drillis and Contini (in Winter, Biomechanics of Human Movement): torso 0.288,
    /// shoulder width 0.2 between joint centres, upper arm 0.186, forearm 0.146, thigh 0.245, shank 0.246.
    var torsoLength: Float? {
        var first: Float = 0
        var second: Float = 0
        func take(_ a: Int, _ b: Int, _ ratio: Float) {
            guard min(confidences[a], confidences[b]) > 0.3 else { return }
            let delta = points[a] - points[b]
            let length = ratio * (delta * delta).sum().squareRoot()
            if length > first {
                (first, second) = (length, first)
            } else if length > second {
                second = length
            }
        }
        take(1, 2, 1.44)
        if confidences[3] == 0, confidences[4] == 0 {
            // Without elbows, use the straight arm.
            for side in 0...1 { take(1 + side, 5 + side, 0.87) }
        }
        for side in 0...1 {
            take(1 + side, 7 + side, 1)
            take(1 + side, 3 + side, 1.55)
            take(3 + side, 5 + side, 1.97)
            take(7 + side, 9 + side, 1.18)
            take(9 + side, 11 + side, 1.17)
        }
        let length = second > 0 ? second : first
        return length > 0 ? length : nil
    }
}

/// How far the postures of a window are apart, whatever their place in the picture.
package struct PostureDistances: Sendable {
    /// The number of poses.
    package let count: Int
    /// The mean squared distance of the joints of two poses, in body sizes, nil where nobody is seen; row by row.
    package let squares: [Float?]

    /// Compares poses in pictures of the given width divided by height.
    package init(_ poses: [Pose], aspectRatio: Float) {
        var last: SeenBody?
        let postures = poses.enumerated().map { index, pose -> JointRow? in
            guard let joints = BodyJoints(pose, aspectRatio: aspectRatio) else { return nil }
            // Only the order matters here.
            last = SeenBody(joints, after: last, at: Double(index))
            return last?.row.centred
        }
        count = postures.count
        let sizes = postures.compactMap { $0.map { ($0.squared / Float(JointRow.joints)).squareRoot() } }
        let scale = 1 / max(1e-4, median(sizes))
        var squares = [Float?](repeating: nil, count: count * count)
        for row in postures.indices {
            for column in row..<count {
                guard let one = postures[row], let two = postures[column] else { continue }
                let square = (one - two).squared / Float(JointRow.joints) * scale * scale
                squares[row * count + column] = square
                squares[column * count + row] = square
            }
        }
        self.squares = squares
    }
}
