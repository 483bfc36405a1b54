import Foundation
import KinemaCore

/// The thirteen joints that counting reads, in picture heights: x to the right, y up.
struct BodyJoints {
    static let keys: [JointKey] = [
        .nose, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist,
        .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]
    static let nose = 0
    static let shoulders = (1, 2)
    static let elbows = (3, 4)
    static let wrists = (5, 6)
    static let hips = (7, 8)
    static let knees = (9, 10)
    static let ankles = (11, 12)

    var points: [SIMD2<Float>]
    var confidences: [Float]

    /// Whether the joints are enough to count with: a shoulder or hip, and something that moves about it.
    static func areEnough(_ joints: Set<JointKey>) -> Bool {
        let sides: [(roots: [JointKey], ends: [JointKey])] = [
            (
                [.leftShoulder, .rightShoulder],
                [.leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip]
            ),
            ([.leftHip, .rightHip], [.leftKnee, .rightKnee, .leftAnkle, .rightAnkle]),
        ]
        return sides.contains { !joints.isDisjoint(with: $0.roots) && !joints.isDisjoint(with: $0.ends) }
    }

    /// Nil when too little of the trunk is there to say where the body is.
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
        // Joints without any confidence were left out on purpose: then fewer must do.
        let enough = max(2, min(4, confidences.count(where: { $0 > 0 })))
        guard max(shoulder, hip) > 0.2, confidences.count(where: { $0 > 0.2 }) >= enough else { return nil }
    }

    /// The torso's length that fits the lengths seen, however the body is turned: a length seen is never longer than
    /// the true one, so the second largest estimate is taken (the largest may be an error).
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
            // Without elbows the stretched arm tells.
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

/// The thirteen joints of `BodyJoints` in space, from the hips' middle, in torso lengths: x to the right, y up and z
/// towards the camera.
struct BodySpace {
    var x = SIMD16<Float>()
    var y = SIMD16<Float>()
    var z = SIMD16<Float>()
    /// How far each joint can be trusted, 0...1.
    var trust = SIMD16<Float>()

    init() {}

    /// Without landmarks in space nothing is trusted.
    init(_ pose: Pose) {
        guard !pose.keypoints3D.isEmpty else { return }
        for (index, key) in BodyJoints.keys.enumerated() {
            guard let joint = pose.keypoints3D[key] else { continue }
            (x[index], y[index], z[index]) = (joint.position.x, joint.position.y, joint.position.z)
            trust[index] = joint.confidence
        }
        let (hips, shoulders) = (middle(BodyJoints.hips), middle(BodyJoints.shoulders))
        let torso = shoulders - hips
        let length = (torso * torso).sum().squareRoot()
        guard length > 0 else {
            trust = .zero
            return
        }
        (x, y, z) = ((x - hips.x) / length, (y - hips.y) / length, (z - hips.z) / length)
    }

    private func middle(_ pair: (Int, Int)) -> SIMD3<Float> {
        SIMD3(x[pair.0] + x[pair.1], y[pair.0] + y[pair.1], z[pair.0] + z[pair.1]) / 2
    }

    /// Comes nearer to another body by a share (0...1) of the way.
    mutating func blend(_ other: BodySpace, share: Float) {
        x += (other.x - x) * share
        y += (other.y - y) * share
        z += (other.z - z) * share
        trust += (other.trust - trust) * share
    }

    /// The joints as the camera sees them.
    var points: [SIMD2<Float>] {
        BodyJoints.keys.indices.map { SIMD2(x[$0], y[$0]) }
    }

    /// The same body with the names of left and right exchanged.
    var exchanged: BodySpace {
        var other = self
        for (left, right) in [
            BodyJoints.shoulders, BodyJoints.elbows, BodyJoints.wrists, BodyJoints.hips, BodyJoints.knees,
            BodyJoints.ankles,
        ] {
            for (from, to) in [(left, right), (right, left)] {
                (other.x[to], other.y[to], other.z[to]) = (x[from], y[from], z[from])
                other.trust[to] = trust[from]
            }
        }
        return other
    }

    /// The body turned by a rotation.
    func turned(_ rotation: Rotation) -> BodySpace {
        var other = self
        other.x = x * rotation.rows.0.x + y * rotation.rows.0.y + z * rotation.rows.0.z
        other.y = x * rotation.rows.1.x + y * rotation.rows.1.y + z * rotation.rows.1.z
        other.z = x * rotation.rows.2.x + y * rotation.rows.2.y + z * rotation.rows.2.z
        return other
    }

    /// How far two bodies are apart, joint by joint: the root mean square, torso lengths; infinite when nothing is known.
    func distance(to other: BodySpace) -> Float {
        let weight = pointwiseMin(trust, other.trust)
        let total = weight.sum()
        guard total > 3 else { return .infinity }
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        return (((dx * dx + dy * dy + dz * dz) * weight).sum() / total).squareRoot()
    }
}

/// How far elbows, shoulders, hips and knees are bent in space, which looks the same from every side.
struct Bends {
    /// Radians, left before right.
    var angles = SIMD8<Float>(repeating: 0)
    /// How far each angle can be trusted, 0...1.
    var trust = SIMD8<Float>(repeating: 0)

    private static let corners: [(JointKey, JointKey, JointKey)] = [
        (.leftShoulder, .leftElbow, .leftWrist), (.rightShoulder, .rightElbow, .rightWrist),
        (.leftElbow, .leftShoulder, .leftHip), (.rightElbow, .rightShoulder, .rightHip),
        (.leftShoulder, .leftHip, .leftKnee), (.rightShoulder, .rightHip, .rightKnee),
        (.leftHip, .leftKnee, .leftAnkle), (.rightHip, .rightKnee, .rightAnkle),
    ]

    init() {}

    /// Without landmarks in space nothing is trusted.
    init(_ pose: Pose) {
        guard !pose.keypoints3D.isEmpty else { return }
        for (index, corner) in Self.corners.enumerated() {
            guard let first = pose.keypoints3D[corner.0], let middle = pose.keypoints3D[corner.1],
                let last = pose.keypoints3D[corner.2]
            else { continue }
            let (one, two) = (first.position - middle.position, last.position - middle.position)
            let lengths = ((one * one).sum() * (two * two).sum()).squareRoot()
            guard lengths > 0 else { continue }
            angles[index] = acos(max(-1, min(1, (one * two).sum() / lengths)))
            let seen = min(first.confidence, middle.confidence, last.confidence)
            trust[index] = min(1, max(0, (seen - 0.05) / 0.5))
        }
    }

    /// Comes nearer to other bends by a share (0...1) of the way.
    mutating func blend(_ other: Bends, share: Float) {
        angles += (other.angles - angles) * share
        trust += (other.trust - trust) * share
    }
}

/// The way from some bends to others: a movement as it looks from every side.
struct BendsAxis {
    /// How far apart the two are, radians.
    let length: Float
    private let origin: SIMD8<Float>
    private let direction: SIMD8<Float>

    init(from origin: Bends, to target: Bends) {
        let weighted = (target.angles - origin.angles) * target.trust * origin.trust
        length = (weighted * weighted).sum().squareRoot()
        self.origin = origin.angles
        direction = length > 0 ? weighted / length : .zero
    }

    /// Where bends are on the way: 0 at its beginning, 1 at its end; nil when too little of it can be seen.
    func place(of bends: Bends) -> Float? {
        let seen = direction * bends.trust
        let share = (seen * direction).sum()
        guard share > 0.3, length > 0 else { return nil }
        return ((bends.angles - origin) * seen).sum() / (share * length)
    }
}

/// A turn in space.
struct Rotation {
    /// The matrix, row by row.
    let rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// The turn that brings one body nearest to another (Horn 1987, closed-form solution by unit quaternions).
    init(from one: BodySpace, to other: BodySpace) {
        let weight = pointwiseMin(one.trust, other.trust)
        func sum(_ a: SIMD16<Float>, _ b: SIMD16<Float>) -> Float { (a * b * weight).sum() }
        let (xx, xy, xz) = (sum(one.x, other.x), sum(one.x, other.y), sum(one.x, other.z))
        let (yx, yy, yz) = (sum(one.y, other.x), sum(one.y, other.y), sum(one.y, other.z))
        let (zx, zy, zz) = (sum(one.z, other.x), sum(one.z, other.y), sum(one.z, other.z))
        self.init(
            quaternion: Self.strongest([
                SIMD4(xx + yy + zz, yz - zy, zx - xz, xy - yx), SIMD4(yz - zy, xx - yy - zz, xy + yx, zx + xz),
                SIMD4(zx - xz, xy + yx, yy - xx - zz, yz + zy), SIMD4(xy - yx, zx + xz, yz + zy, zz - xx - yy),
            ]))
    }

    /// Real part first.
    private init(quaternion q: SIMD4<Float>) {
        let (w, x, y, z) = (q[0], q[1], q[2], q[3])
        rows = (
            SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            SIMD3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
        )
    }

    /// The unit eigenvector of a symmetric matrix's largest eigenvalue, by squaring the matrix again and again.
    private static func strongest(_ matrix: [SIMD4<Float>]) -> SIMD4<Float> {
        // Shifted so that the largest eigenvalue is also the largest in size.
        let shift = matrix.reduce(1e-6) { max($0, ($1 * $1).sum()) }.squareRoot() * 2
        var power = matrix.indices.map { row in
            var line = matrix[row]
            line[row] += shift
            return line
        }
        for _ in 0..<12 {
            let scale = 1 / power.reduce(Float.leastNormalMagnitude) { max($0, $1.max(), -$1.min()) }
            let now = power.map { $0 * scale }
            power = now.map { line in now.indices.reduce(SIMD4()) { $0 + now[$1] * line[$1] } }
        }
        let best = power.max { ($0 * $0).sum() < ($1 * $1).sum() } ?? SIMD4(1, 0, 0, 0)
        let length = (best * best).sum().squareRoot()
        return length > 0 ? best / length : SIMD4(1, 0, 0, 0)
    }
}

/// How a body that is suddenly seen from another side would have looked from there before.
///
/// A cut to another camera changes the picture but not the body: the turn that brings the body before the cut onto the
/// body after it brings everything before to where the new camera would have seen it. A movement that goes on through a
/// cut is so one movement.
struct ViewChange {
    private let rotation: Rotation
    /// From the front and from behind a body looks much the same, and its sides are mistaken.
    private let exchangesSides: Bool
    private let before: Posture
    private let after: Posture
    private let shapeBefore: SIMD32<Float>
    private let reader: PostureReader

    /// How far the joints may lie apart after the turn, root mean square in torso lengths. Landmarks in space of one body
    /// seen from two sides do so by 0.05 to 0.35, by more where time went by.
    private static let sameBody: Float = 0.35

    /// Nil when the posture after the cut is another one than before it, or when not enough is known of both in space.
    /// The reader is one that has read nothing but what comes after the cut.
    init?(from before: Posture, to after: Posture, reader: PostureReader) {
        let straight = Rotation(from: before.space, to: after.space)
        let crossed = Rotation(from: before.space.exchanged, to: after.space)
        let distance = before.space.turned(straight).distance(to: after.space)
        let other = before.space.exchanged.turned(crossed).distance(to: after.space)
        guard min(distance, other) < Self.sameBody else { return nil }
        exchangesSides = other < 0.7 * distance
        rotation = exchangesSides ? crossed : straight
        (self.before, self.after, self.reader) = (before, after, reader)
        let space = (exchangesSides ? before.space.exchanged : before.space).turned(rotation)
        shapeBefore = reader.shape(of: space.points, size: 1).shape
    }

    /// A posture of before the cut as it looks from the new side.
    func seen(_ posture: Posture) -> Posture {
        var seen = posture
        seen.space = (exchangesSides ? posture.space.exchanged : posture.space).turned(rotation)
        seen.shape = after.shape + reader.shape(of: seen.space.points, size: 1).shape - shapeBefore
        // How high the body is looks the same from every side.
        for channel in Channel.heights + 1...Channel.heights + 2 {
            seen.shape[channel] = after.shape[channel] + posture.shape[channel] - before.shape[channel]
        }
        seen.weight = pointwiseMin(posture.weight, after.weight)
        seen.centre = after.centre + posture.centre - before.centre
        seen.size = after.size * posture.size / max(before.size, 1e-6)
        return seen
    }
}
