/// The names of a movement's phases, in order.
package struct PhaseNames: Sendable, Hashable {
    package var rest, away, far, back: String
    /// Whether the movement begins with the eccentric phase, like a squat and unlike a curl.
    package var beginsEccentric: Bool

    /// Down first, as in squats and push-ups.
    package static let downFirst = PhaseNames(
        rest: "top", away: "down", far: "bottom", back: "up", beginsEccentric: true)
    /// Up first, as in curls and raises.
    package static let upFirst = PhaseNames(
        rest: "bottom", away: "up", far: "top", back: "down", beginsEccentric: false)
}
