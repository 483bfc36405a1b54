import Foundation

/// A point or direction at the field, metres: x to the picture's right, y up against gravity, z away from the camera, the
/// origin in the camera.
typealias FieldPoint = SIMD3<Double>

extension FieldPoint {
    func dot(_ other: FieldPoint) -> Double { x * other.x + y * other.y + z * other.z }
    var length: Double { dot(self).squareRoot() }
}

/// A camera without distortion, its axis through the picture's middle.
struct FieldCamera: Sendable {
    /// Picture heights for a tangent of one.
    var focal: Double
    /// How far it looks down, radians.
    var pitch: Double
    /// How far it is turned about its axis, radians.
    var roll: Double

    /// Where a point is seen: picture heights from the picture's middle, y up.
    func seen(_ point: FieldPoint) -> CGPoint {
        let up = point.y * cos(pitch) + point.z * sin(pitch)
        // What is behind the camera is kept before it, so that a search for parameters finds back.
        let ahead = max(point.z * cos(pitch) - point.y * sin(pitch), 0.05)
        let (x, y) = (focal * point.x / ahead, focal * up / ahead)
        return CGPoint(x: x * cos(roll) - y * sin(roll), y: x * sin(roll) + y * cos(roll))
    }

    /// The point that is seen at a place (picture heights from the middle) at a depth in metres.
    func point(at place: CGPoint, depth: Double) -> FieldPoint {
        let x = (place.x * cos(roll) + place.y * sin(roll)) / focal * depth
        let up = (place.y * cos(roll) - place.x * sin(roll)) / focal * depth
        return FieldPoint(x, up * cos(pitch) - depth * sin(pitch), up * sin(pitch) + depth * cos(pitch))
    }
}

/// The board in space.
struct FieldBoard: Sendable {
    var middle: FieldPoint
    /// The direction of its length away from the player, radians from the picture's right to away from the camera.
    var yaw: Double
    /// How far it rises along its length, radians.
    var tilt: Double

    var along: FieldPoint { FieldPoint(cos(yaw) * cos(tilt), sin(tilt), sin(yaw) * cos(tilt)) }
    var across: FieldPoint { FieldPoint(-sin(yaw), 0, cos(yaw)) }
    var normal: FieldPoint { FieldPoint(-cos(yaw) * sin(tilt), cos(tilt), -sin(yaw) * sin(tilt)) }

    /// A point of its face: metres from its middle along it and across it.
    func point(_ u: Double, _ v: Double) -> FieldPoint { middle + along * u + across * v }

    /// A point's place on the face and height above it, metres.
    func local(_ point: FieldPoint) -> (u: Double, v: Double, height: Double) {
        let way = point - middle
        return (way.dot(along), way.dot(across), way.dot(normal))
    }
}

/// A body that nothing but gravity moves.
struct FieldFlight: Sendable {
    /// Standard gravity, m/s².
    static let gravity = 9.80665

    /// When it is at `place` with `velocity`, seconds.
    var time: TimeInterval
    var place: FieldPoint
    /// Metres a second.
    var velocity: FieldPoint

    func place(at other: TimeInterval) -> FieldPoint {
        let t = other - time
        return place + velocity * t - FieldPoint(0, Self.gravity * t * t / 2, 0)
    }

    func velocity(at other: TimeInterval) -> FieldPoint {
        velocity - FieldPoint(0, Self.gravity * (other - time), 0)
    }
}
