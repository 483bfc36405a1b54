/// A point or direction in metres: in the world x right (seen from the front), y up, z to the front.
package typealias Vector = SIMD3<Double>

extension Vector {
    static let up = Vector(0, 1, 0)

    var length: Double { dot(self).squareRoot() }
    var unit: Vector {
        let length = length
        return length > 1e-12 ? self / length : Vector(0, 1, 0)
    }

    var level: Vector { Vector(x, 0, z) }

    func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: Vector) -> Vector {
        Vector(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// The component perpendicular to a unit direction, normalised.
    func perpendicular(to direction: Vector) -> Vector {
        let part = self - direction * dot(direction)
        if part.length > 1e-6 { return part.unit }
        let other = abs(direction.y) < 0.9 ? Vector.up : Vector(0, 0, 1)
        return (other - direction * other.dot(direction)).unit
    }
}

func mix(_ from: Vector, _ to: Vector, _ share: Double) -> Vector { from + (to - from) * share }
