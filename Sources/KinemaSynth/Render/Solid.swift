internal import KinemaDraw

/// A cone-sphere: a sphere swept along a line while its radius changes linearly. All shapes are made of it.
struct Solid: Sendable {
    /// The ends and the radii there, in metres.
    var from, to: Vector
    var fromRadius, toRadius: Double
    var color: Color
    /// The strength of highlights, 0...1.
    var gloss: Double
    /// The person it belongs to; nil for objects.
    var owner: Int?

    init(
        _ from: Vector, _ to: Vector, _ fromRadius: Double, _ toRadius: Double, _ color: Color, gloss: Double = 0.08,
        owner: Int? = nil
    ) {
        (self.from, self.to, self.fromRadius, self.toRadius) = (from, to, fromRadius, toRadius)
        (self.color, self.gloss, self.owner) = (color, gloss, owner)
    }
}
