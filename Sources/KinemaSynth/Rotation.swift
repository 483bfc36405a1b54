package import KinemaCore

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

// Only additions and multiplications: the C library's functions differ between machines, and pictures must not.

/// The sine of an angle in radians, accurate to about 1e-11 for |angle| < 1000.
func sine(_ angle: Double) -> Double {
    // Reduce to -pi/2...pi/2, where the Taylor series up to x^15 is accurate enough.
    let turns = (angle / (2 * Double.pi)).rounded()
    var x = angle - turns * 2 * Double.pi
    if x > Double.pi / 2 { x = Double.pi - x }
    if x < -Double.pi / 2 { x = -Double.pi - x }
    let square = x * x
    var sum = 0.0
    for step in stride(from: 15.0, to: 1, by: -2) {
        sum = (1 + sum) * -square / (step * (step - 1))
    }
    return x * (1 + sum)
}

/// The cosine of an angle in radians, accurate to about 1e-11 for |angle| < 1000.
func cosine(_ angle: Double) -> Double { sine(angle + Double.pi / 2) }

func tangent(_ angle: Double) -> Double { sine(angle) / cosine(angle) }

/// The angle in radians whose tangent is y/x, in -pi...pi, accurate to about 1e-12.
func arcTangent(_ y: Double, _ x: Double) -> Double {
    guard x != 0 || y != 0 else { return 0 }
    // Halve the angle three times on the unit circle, then sum the series for a small tangent.
    var (cosine, sine) = (x, y)
    for _ in 0..<3 {
        let length = (cosine * cosine + sine * sine).squareRoot()
        (cosine, sine) = (cosine / length + 1, sine / length)
        if cosine == 0 { return Double.pi }
    }
    let tangent = sine / cosine
    var sum = 0.0
    for step in stride(from: 25.0, through: 1, by: -2) {
        sum = 1 / step - tangent * tangent * sum
    }
    return tangent * sum * 8
}

func degrees(_ value: Double) -> Double { value * Double.pi / 180 }

func mix(_ from: Double, _ to: Double, _ share: Double) -> Double { from + (to - from) * share }

/// The smoothstep function: 0...1 with zero slope at both ends.
func smoothstep(_ share: Double) -> Double {
    let x = min(max(share, 0), 1)
    return x * x * (3 - 2 * x)
}

extension RandomSource {
    package mutating func number(in range: ClosedRange<Double>) -> Double {
        let unit = Double(next() >> 11) / 9_007_199_254_740_992  // 2^53
        return range.lowerBound + unit * (range.upperBound - range.lowerBound)
    }

    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    package mutating func chance(_ probability: Double) -> Bool { number(in: 0...1) < probability }

    package mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[integer(in: 0...choices.count - 1)] }

    /// An approximately normal number with mean 0 and standard deviation 1: the sum of twelve uniform ones (at most 6).
    package mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += number(in: 0...1) }
        return sum
    }
}
