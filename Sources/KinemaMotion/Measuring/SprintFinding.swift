/// The start of a sprint from a set position.
public struct SprintFinding: Codable, Sendable, Hashable {
    /// One of the first steps: a foot leaves the ground and lands.
    public struct Step: Codable, Sendable, Hashable {
        /// The foot, "left" or "right".
        public var side: String
        /// Seconds: this foot leaves the ground, and touches it again.
        public var toeOff, contact: Double
        /// The speed of the hips along the floor at toe-off, metres per second.
        public var speed: Double
        /// Metres along the floor between the resting toes of the other foot and of this one.
        public var length: Double
    }

    /// The first movement of the hips out of the set position, seconds.
    public var firstMovement: Double
    /// The median angles of trunk, knees and hips in the set position, by their names, in degrees.
    public var angles: [String: Double]
    /// The first three steps in order, or fewer if fewer are seen.
    public var steps: [Step]
}
