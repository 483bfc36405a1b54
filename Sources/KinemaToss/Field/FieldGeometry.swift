import Foundation

/// A point or direction in metres: x to the picture's right, y up, z away from the camera, origin in the camera.
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
