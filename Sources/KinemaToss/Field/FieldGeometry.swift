import Foundation

/// A point or direction in metres: x to the picture's right, y up against gravity, z away from the camera, the origin
/// in the camera.
typealias FieldPoint = SIMD3<Double>

extension FieldPoint {
    func dot(_ other: FieldPoint) -> Double { x * other.x + y * other.y + z * other.z }
    var length: Double { dot(self).squareRoot() }
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

/// The board in space.
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

/// The flight of a body that only gravity moves.
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

/// Corresponding points of the board and the picture.
struct BoardCorrespondences: Sendable {
    /// Each point in metres from the centre of the face, along and across, and in picture heights from the picture's
    /// centre.
    let pairs: [(board: CGPoint, image: CGPoint)]
    /// The board's length, in metres and as it appears in picture heights.
    let length: Double
    let imageLength: Double
    /// The centre of the face, in picture heights from the picture's centre.
    let centre: CGPoint
    /// The rough direction of the board's length away from the player: 0 to the right, pi to the left.
    let yaw: Double

    /// Identifies the corners by the hole, which lies near the far end. Without a hole, the far end is the one away
    /// from the picture's centre.
    init?(_ observation: TossBoardObservation, aspectRatio: Double, rules: TossRules) {
        guard observation.corners.count == 4 else { return nil }
        let image = observation.corners.map { $0.centred(aspectRatio: aspectRatio) }
        let corners: [CGPoint] = Polyline.area(image) < 0 ? image.reversed() : image
        let hole = observation.hole?.centred(aspectRatio: aspectRatio)
        let face = rules.boardCorners
        let centre = Polyline.mean(corners)
        var best: (error: Double, corners: [CGPoint])?
        for shift in 0..<4 {
            let rotated = Array(corners[shift...] + corners[..<shift])
            guard let map = Homography(from: face, to: rotated) else { return nil }
            let error: Double
            if let hole {
                let projected = map(rules.holeCentre)
                error = hypot(projected.x - hole.x, projected.y - hole.y)
            } else {
                let far = (rotated[1].x + rotated[2].x) / 2 - centre.x
                error = -far * (centre.x < 0 ? -1 : 1)
            }
            if error < best?.error ?? .infinity { best = (error, rotated) }
        }
        guard let best else { return nil }
        var pairs = zip(face, best.corners).map { (board: $0, image: $1) }
        if let hole { pairs.append((rules.holeCentre, hole)) }
        self.pairs = pairs
        self.centre = centre
        length = rules.boardLength
        let near = Polyline.mean([best.corners[0], best.corners[3]])
        let far = Polyline.mean([best.corners[1], best.corners[2]])
        imageLength = hypot(far.x - near.x, far.y - near.y)
        yaw = far.x >= near.x ? 0 : .pi
    }
}

extension CGPoint {
    /// A normalised point in picture heights from the centre of the picture.
    func centred(aspectRatio: Double) -> CGPoint { CGPoint(x: (x - 0.5) * aspectRatio, y: y - 0.5) }
}

extension TossRules {
    /// The corners of the board's face in order around it, in metres from its centre along and across.
    var boardCorners: [CGPoint] {
        let (l, w) = (boardLength / 2, boardWidth / 2)
        return [CGPoint(x: -l, y: -w), CGPoint(x: l, y: -w), CGPoint(x: l, y: w), CGPoint(x: -l, y: w)]
    }
    /// The centre of the hole on the face, likewise.
    var holeCentre: CGPoint { CGPoint(x: boardLength / 2 - holeInset, y: 0) }
}
