package import Foundation

/// The ground of the game in the picture: the distance of a person from the hole, and the position of a line.
///
/// The board gives the scale, 2 by 4 feet; a throw gives it more exactly by gravity.
package struct FieldView: Sendable {
    private let camera: FieldCamera
    private let board: FieldBoard
    private let aspectRatio: Double
    private let rules: TossRules

    /// The height of ankles above the ground, in metres: 0.039 of the body height (Drillis and Contini 1966).
    private static let ankleHeight = 0.067
    /// The line's length to each side of the hole, in metres: half a 2-foot board and a 3-foot pitcher's box (American
    /// Cornhole Association).
    private static let halfLine = 1.22
    /// The least downward slope of a ray that meets the ground somewhere known: beyond, a pixel is metres.
    private static let minimumSlope = 0.02

    /// Derives the view from a board alone; nil if its corners make no board.
    init?(_ observation: TossBoardObservation, aspectRatio: Double, rules: TossRules) {
        guard let correspondences = BoardCorrespondences(observation, aspectRatio: aspectRatio, rules: rules) else {
            return nil
        }
        (camera, board) = TossField.cameraAndBoard(of: correspondences)
        (self.aspectRatio, self.rules) = (aspectRatio, rules)
    }

    init(_ field: TossField, aspectRatio: Double, rules: TossRules) {
        (camera, board) = (field.camera, field.board)
        (self.aspectRatio, self.rules) = (aspectRatio, rules)
    }

    /// The distance along the ground from the hole to ankles at a normalised point, in metres; nil above the horizon.
    func distance(ofAnklesAt point: CGPoint) -> Double? {
        let ray = camera.point(at: point.centred(aspectRatio: aspectRatio), depth: 1)
        let height = ground + Self.ankleHeight
        guard ray.y < -Self.minimumSlope, height < 0 else { return nil }
        let offset = ray * (height / ray.y) - hole
        return hypot(offset.x, offset.z)
    }

    /// The ends of a line on the ground at a distance from the hole in metres: normalised, origin at the lower left.
    package func line(at distance: Double) -> [CGPoint] {
        let level = hypot(board.along.x, board.along.z)
        let middle = hole - FieldPoint(board.along.x, 0, board.along.z) / level * distance
        return [-Self.halfLine, Self.halfLine].map { side in
            var end = middle + board.across * side
            end.y = ground
            let image = camera.project(end)
            return CGPoint(x: image.x / aspectRatio + 0.5, y: image.y + 0.5)
        }
    }

    private var hole: FieldPoint { board.point(rules.holeCentre.x, 0) }
    /// The height of the ground: the face is 3 inches high at its near end.
    private var ground: Double { board.point(-rules.boardLength / 2, 0).y - 0.076 }
}

/// A point or direction in metres: x to the picture's right, y up, z away from the camera, origin in the camera.
typealias FieldPoint = SIMD3<Double>

extension FieldPoint {
    func dot(_ other: FieldPoint) -> Double { x * other.x + y * other.y + z * other.z }
    var length: Double { dot(self).squareRoot() }
}

struct FieldBoard: Sendable {
    var centre: FieldPoint
    /// The direction of its length away from the player, in radians from the picture's right towards the far side.
    var yaw: Double
    /// The slope along its length, in radians.
    var tilt: Double

    var along: FieldPoint { FieldPoint(cos(yaw) * cos(tilt), sin(tilt), sin(yaw) * cos(tilt)) }
    var across: FieldPoint { FieldPoint(-sin(yaw), 0, cos(yaw)) }
    var normal: FieldPoint { FieldPoint(-cos(yaw) * sin(tilt), cos(tilt), -sin(yaw) * sin(tilt)) }

    /// A point of its face, in metres along and across from its centre.
    func point(_ u: Double, _ v: Double) -> FieldPoint { centre + along * u + across * v }

    /// Converts a point to face coordinates: metres along, across and above the face.
    func local(_ point: FieldPoint) -> (u: Double, v: Double, height: Double) {
        let offset = point - centre
        return (offset.dot(along), offset.dot(across), offset.dot(normal))
    }
}

/// A pinhole camera without lens distortion, its axis through the centre of the picture.
struct FieldCamera: Sendable {
    /// The focal length, in picture heights.
    var focal: Double
    /// The downward tilt, in radians.
    var pitch: Double
    /// The rotation about its axis, in radians.
    var roll: Double

    /// Projects a point: picture heights from the centre of the picture, y up.
    func project(_ point: FieldPoint) -> CGPoint {
        let up = point.y * cos(pitch) + point.z * sin(pitch)
        // Points behind the camera are moved in front of it, so that the least-squares search can recover.
        let ahead = max(point.z * cos(pitch) - point.y * sin(pitch), 0.05)
        let (x, y) = (focal * point.x / ahead, focal * up / ahead)
        return CGPoint(x: x * cos(roll) - y * sin(roll), y: x * sin(roll) + y * cos(roll))
    }

    /// The point that projects to `image` (picture heights from the centre) at a depth in metres.
    func point(at image: CGPoint, depth: Double) -> FieldPoint {
        let x = (image.x * cos(roll) + image.y * sin(roll)) / focal * depth
        let up = (image.y * cos(roll) - image.x * sin(roll)) / focal * depth
        return FieldPoint(x, up * cos(pitch) - depth * sin(pitch), up * sin(pitch) + depth * cos(pitch))
    }
}

/// The flight of a body that only gravity moves; velocities are in metres per second.
struct FieldFlight: Sendable {
    /// Standard gravity, m/s².
    static let gravity = 9.80665

    /// When it is at `position` with `velocity`, in seconds.
    var time: TimeInterval
    var position: FieldPoint
    /// Metres per second.
    var velocity: FieldPoint

    func position(at other: TimeInterval) -> FieldPoint {
        let t = other - time
        return position + velocity * t - FieldPoint(0, Self.gravity * t * t / 2, 0)
    }

    func velocity(at other: TimeInterval) -> FieldPoint {
        velocity - FieldPoint(0, Self.gravity * (other - time), 0)
    }
}

/// The homography that four point pairs define, such as from a plane to the picture.
struct Homography {
    private let h: [Double]

    /// Makes a homography from four point pairs, no three on a line; nil if there is none.
    init?(from source: [CGPoint], to target: [CGPoint]) {
        guard source.count == 4, target.count == 4 else { return nil }
        var rows: [[Double]] = []
        for (s, t) in zip(source, target) {
            rows.append([s.x, s.y, 1, 0, 0, 0, -t.x * s.x, -t.x * s.y, t.x])
            rows.append([0, 0, 0, s.x, s.y, 1, -t.y * s.x, -t.y * s.y, t.y])
        }
        guard let solution = LeastSquares.solve(&rows) else { return nil }
        h = solution
    }

    func callAsFunction(_ point: CGPoint) -> CGPoint {
        let w = h[6] * point.x + h[7] * point.y + 1
        return CGPoint(
            x: (h[0] * point.x + h[1] * point.y + h[2]) / w, y: (h[3] * point.x + h[4] * point.y + h[5]) / w)
    }
}
