/// A point or direction in metres: in the world x right (seen from the front), y up, z to the front.
package typealias Vector = SIMD3<Double>

extension Vector {
    static let up = Vector(0, 1, 0)

    var length: Double { dot(self).squareRoot() }
    var unit: Vector {
        let length = length
        return length > 1e-12 ? self / length : Vector(0, 1, 0)
    }

    func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: Vector) -> Vector {
        Vector(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// The part at right angles to a unit direction, of length 1.
    func perpendicular(to direction: Vector) -> Vector {
        let part = self - direction * dot(direction)
        if part.length > 1e-6 { return part.unit }
        let other = abs(direction.y) < 0.9 ? Vector.up : Vector(0, 0, 1)
        return (other - direction * other.dot(direction)).unit
    }
}

func mix(_ from: Vector, _ to: Vector, _ share: Double) -> Vector {
    from + (to - from) * share
}

/// A turn in space, as the directions its three axes end up in.
struct Rotation: Sendable {
    var x = Vector(1, 0, 0)
    var y = Vector(0, 1, 0)
    var z = Vector(0, 0, 1)

    /// No turn.
    static let none = Rotation()

    /// About x: a positive angle leans what stands up forward, and points what looks forward down.
    static func pitch(_ angle: Double) -> Rotation {
        let (s, c) = (sine(angle), cosine(angle))
        return Rotation(x: Vector(1, 0, 0), y: Vector(0, c, s), z: Vector(0, -s, c))
    }

    /// About y: a positive angle turns what looks forward to its own left.
    static func yaw(_ angle: Double) -> Rotation {
        let (s, c) = (sine(angle), cosine(angle))
        return Rotation(x: Vector(c, 0, -s), y: Vector(0, 1, 0), z: Vector(s, 0, c))
    }

    /// About z: a positive angle leans what stands up to its own right.
    static func roll(_ angle: Double) -> Rotation {
        let (s, c) = (sine(angle), cosine(angle))
        return Rotation(x: Vector(c, s, 0), y: Vector(-s, c, 0), z: Vector(0, 0, 1))
    }

    static func * (turn: Rotation, vector: Vector) -> Vector {
        turn.x * vector.x + turn.y * vector.y + turn.z * vector.z
    }

    /// The right turn first, then the left one.
    static func * (turn: Rotation, other: Rotation) -> Rotation {
        Rotation(x: turn * other.x, y: turn * other.y, z: turn * other.z)
    }
}
