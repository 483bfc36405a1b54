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
