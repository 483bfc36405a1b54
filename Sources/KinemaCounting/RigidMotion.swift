import Foundation
import KinemaCore

/// How much of the joints' movement is that of a rigid figure, and how much of that the camera caused.
///
/// A camera that sways, zooms or turns moves all joints by one similarity transform, and the background with them. A
/// body that rises on its toes moves as rigidly, but the background stays.
struct RigidMotion: Sendable {
    /// The share of the joints' movement that one similarity per frame explains, 0...1.
    let share: Float
    /// How much of the rigid movement the background's movement explains: the regression coefficient, about 1 if the
    /// camera caused all of it. Nil if the background's movement is unknown.
    let camera: Float?

    /// The share of the joints' movement that the camera caused, 0...1; 0 if the background's movement is unknown.
    var ofCamera: Float { share * min(1, max(0, camera ?? 0)) }

    /// How far the joints may lag behind the background, seconds: poses are smoothed.
    private static let longestLag = 0.25

    /// Compares a body over several frames; nil if it does not move at all.
    init?(_ seen: ArraySlice<SeenBody>) {
        guard seen.count >= 4 else { return nil }
        let mean = JointRow.mean(seen.map(\.row))
        let shape = Figure(mean)
        var (total, rest): (Float, Float) = (0, 0)
        var moved: [JointRow] = []
        for body in seen {
            let away = (body.row - mean).squared
            let fit = shape.fit(body.row)
            total += away
            rest += min(away, fit.error)
            moved.append(fit.row)
        }
        guard total > 0, rest < total else { return nil }
        share = 1 - rest / total
        camera = Self.cameraShare(of: moved, shape, seen)
    }

    /// The regression of the rigid movement on the background's, at the lag that explains most.
    private static func cameraShare(of moved: [JointRow], _ shape: Figure, _ seen: ArraySlice<SeenBody>) -> Float? {
        let known = zip(seen, moved).compactMap { body, row in
            body.camera.map { (time: body.time, motion: $0, row: row) }
        }
        guard 2 * known.count > seen.count, known.count >= 4, let first = known.first, let last = known.last else {
            return nil
        }
        let background = centred(known.map { shape.moved(by: first.motion.inverse.followed(by: $0.motion)) })
        let body = centred(known.map(\.row))
        let size = body.reduce(Float(1e-12)) { $0 + $1.squared }
        let interval = (last.time - first.time) / Double(known.count - 1)
        let lags = min(known.count - 4, Int(longestLag / max(interval, 1e-3)))
        return (0...max(0, lags)).map { lag in
            zip(background, body.dropFirst(lag)).reduce(0) { $0 + $1.0.dot($1.1) } / size
        }.max()
    }

    private static func centred(_ rows: [JointRow]) -> [JointRow] {
        let mean = JointRow.mean(rows)
        return rows.map { $0 - mean }
    }
}

/// The joints relative to their centroid.
private struct Figure {
    private let middle: SIMD2<Float>
    /// The sum of the squared distances from the centroid.
    private let spread: Float
    private let points: [SIMD2<Float>]

    init(_ row: JointRow) {
        let all = (0..<JointRow.joints).map(row.point)
        let middle = all.reduce(.zero, +) / Float(JointRow.joints)
        self.middle = middle
        points = all.map { $0 - middle }
        spread = max(1e-12, points.reduce(0) { $0 + ($1 * $1).sum() })
    }

    /// This figure fitted to other joints by a least-squares similarity, and the sum of squared residuals.
    func fit(_ row: JointRow) -> (row: JointRow, error: Float) {
        let other = Figure(row)
        var (along, across): (Float, Float) = (0, 0)
        for (one, two) in zip(points, other.points) {
            along += (one * two).sum()
            across += one.x * two.y - one.y * two.x
        }
        let (cosine, sine) = (along / spread, across / spread)
        let moved = points.map { SIMD2(cosine * $0.x - sine * $0.y, sine * $0.x + cosine * $0.y) + other.middle }
        return (JointRow(moved), max(0, other.spread - (along * along + across * across) / spread))
    }

    /// The joints moved by a similarity.
    func moved(by motion: SimilarityTransform) -> JointRow {
        JointRow(points.map { SIMD2<Float>(motion.applied(to: SIMD2<Double>($0 + middle))) })
    }
}

/// Detects a change of camera or person from one frame to the next.
///
/// Where poses carry a shot number, the picture has decided what is a cut. Beyond that, only a jump that no body can
/// make counts, as when the tracker switches to another person.
struct CutDetector {
    private var last: (pose: Pose, joints: BodyJoints, time: TimeInterval)?
    /// The usual median jump of the joints from frame to frame, torso lengths: poorly visible joints jitter.
    private var usual: Float = 0

    /// The least lower-quartile jump of the joints at a cut, torso lengths: below this even a cut changes little.
    private static let leastJump: Float = 0.1
    /// A cut jumps this many times as far as usual.
    private static let suddenness: Float = 3
    /// How long the usual jump is remembered, seconds: the fast half of a fast repetition.
    private static let memory: TimeInterval = 0.3
    /// The farthest that half of the joints go in one frame, torso lengths, plus torso lengths a second: landmark
    /// smoothing lets no more through.
    private static let farthest: (Float, speed: Float) = (0.45, 4)

    /// Whether the body cannot have moved this way.
    mutating func isCut(_ pose: Pose, _ joints: BodyJoints, size: Float, at time: TimeInterval) -> Bool {
        defer { last = (pose, joints, time) }
        guard let last, size > 0, time > last.time else { return false }
        let jumps = joints.points.indices.filter {
            min(joints.confidences[$0], last.joints.confidences[$0]) > 0.2
        }.map { ((joints.points[$0] - last.joints.points[$0]) / size).length }.sorted()
        guard jumps.count >= 4 else { return false }
        let interval = Float(time - last.time)
        let middle = jumps[jumps.count / 2]
        let isImpossible =
            middle > Self.farthest.0 + Self.farthest.speed * interval && middle > Self.suddenness * usual
        usual += (middle - usual) * min(1, interval / Float(Self.memory))
        let isNewShot = pose.shot.flatMap { shot in last.pose.shot.map { $0 != shot } }
        if isNewShot == true, jumps[jumps.count / 4] > Self.leastJump { return true }
        let isSameBody = isNewShot == false && pose.id != nil && pose.id == last.pose.id
        return isImpossible && !isSameBody
    }

    mutating func reset() {
        last = nil
        usual = 0
    }
}

extension SIMD2<Float> {
    fileprivate var length: Float { (self * self).sum().squareRoot() }
}
