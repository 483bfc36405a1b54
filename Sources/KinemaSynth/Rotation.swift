/// A rotation, as the directions of its three axes.
struct Rotation: Sendable {
    var x = Vector(1, 0, 0)
    var y = Vector(0, 1, 0)
    var z = Vector(0, 0, 1)

    static let none = Rotation()

    /// A rotation about x: a positive angle tilts up to forward, and forward to down.
    static func pitch(_ angle: Double) -> Rotation {
        let (s, c) = (sine(angle), cosine(angle))
        return Rotation(x: Vector(1, 0, 0), y: Vector(0, c, s), z: Vector(0, -s, c))
    }

    /// A rotation about y: a positive angle turns forward to the left.
    static func yaw(_ angle: Double) -> Rotation {
        let (s, c) = (sine(angle), cosine(angle))
        return Rotation(x: Vector(c, 0, -s), y: Vector(0, 1, 0), z: Vector(s, 0, c))
    }

    /// A rotation about z: a positive angle tilts up to the right.
    static func roll(_ angle: Double) -> Rotation {
        let (s, c) = (sine(angle), cosine(angle))
        return Rotation(x: Vector(c, s, 0), y: Vector(-s, c, 0), z: Vector(0, 0, 1))
    }

    static func * (rotation: Rotation, vector: Vector) -> Vector {
        rotation.x * vector.x + rotation.y * vector.y + rotation.z * vector.z
    }

    static func * (rotation: Rotation, other: Rotation) -> Rotation {
        Rotation(x: rotation * other.x, y: rotation * other.y, z: rotation * other.z)
    }
}
