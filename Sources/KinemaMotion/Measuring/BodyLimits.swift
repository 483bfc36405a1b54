/// What a human body can do; a value beyond these bounds is an error of the recording, and is left out with the reason.
enum BodyLimits {
    /// Steps per minute: the slowest walking of patients, and a tenth more than the 5 steps a second of elite sprinters
    /// (Salo et al., Med Sci Sports Exerc 43, 2011).
    static let cadence = 20.0...330
    /// Metres per second: the fastest stretch ever measured (12.3; Graubner and Nixdorf, New Studies in Athletics 26, 2011).
    static let speed = 0.05...12.5
    /// Metres: shuffling, and the longest steps of the same sprint (2.8).
    static let stepLength = 0.05...3.0
    /// Metres: the highest standing jump (1.22) with a margin for the scale; the shortest is noise.
    static let jump = 0.01...1.3
    /// Seconds: the flight of such a jump, from h = g t²/8.
    static let flight = 0.09...1.03
    /// Degrees per second: elbows of pitchers reach 2,500 (Fleisig et al., J Biomech 32, 1999), and no other joint more in
    /// a plane.
    static let angularVelocity = -3000.0...3000
    /// Degrees of flexion, or of abduction: the norms of the American Academy of Orthopaedic Surgeons (1965) and what
    /// gymnasts and dancers reach beyond them, with 20 degrees for projection.
    private static let ranges: [(joint: String, range: ClosedRange<Double>)] = [
        ("ankle", -90...75), ("knee", -40...180), ("hip abduction", -60...120), ("hip", -80...170),
        ("elbow", -40...180), ("shoulder abduction", -100...250), ("shoulder", -140...270),
    ]

    /// The bounds of an angle by its name; nil for segments and levels, which turn freely.
    static func range(of angle: String) -> ClosedRange<Double>? {
        ranges.first { angle.hasSuffix(" \($0.joint)") }?.range
    }

    /// Why a value is left out; nil if it is possible.
    static func objection(_ what: String, _ value: Double?, _ bounds: ClosedRange<Double>, _ unit: String) -> String? {
        guard let value, !bounds.contains(value) else { return nil }
        func text(_ value: Double) -> String { value.text(abs(value) < 10 ? 2 : 0) }
        let limit =
            value < bounds.lowerBound ? "less than \(text(bounds.lowerBound))" : "more than \(text(bounds.upperBound))"
        return "\(what) of \(text(value)) \(unit) is left out: \(limit) is not possible"
    }
}
