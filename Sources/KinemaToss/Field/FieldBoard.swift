import Foundation

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
