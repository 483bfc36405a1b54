package enum ThrowStyle: String, CaseIterable, Codable, Sendable {
    /// The hand above the shoulder.
    case overhand
    /// The arm swung from below.
    case underhand
    /// The arm swung from below, under a lifted leg.
    case underleg

    /// The launch angles above the horizontal for a distance of about 25 feet, in degrees.
    var launchAngles: ClosedRange<Double> {
        switch self {
        case .overhand: 14...34
        case .underhand: 32...50
        case .underleg: 36...52
        }
    }
}
