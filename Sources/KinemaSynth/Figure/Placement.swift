/// The position and heading of a body in the world.
package struct Placement: Sendable {
    /// The point on the floor below it, in metres.
    package var position = Vector.zero
    /// The heading in radians: 0 faces the front (+z), positive values turn to the person's left.
    package var heading = 0.0
}
