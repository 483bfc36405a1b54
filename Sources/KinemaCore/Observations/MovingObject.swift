/// A small moving object in one frame, in picture widths along both axes, origin at the lower left, y up.
package struct MovingObject: Sendable, Hashable {
    package var position: SIMD2<Double>
    /// Its centre as if the camera had not moved since the stream's first frame.
    package var steadyPosition: SIMD2<Double>
    /// The radius of its narrow side, which motion blur does not lengthen.
    package var radius: Double
    package var deviation: Double
    /// The share of its surroundings without motion in the last half second, 0...1.
    package var isolation: Double

    /// Makes an object; `steadyPosition` is `position` unless the camera moves.
    package init(
        position: SIMD2<Double>, steadyPosition: SIMD2<Double>? = nil, radius: Double, deviation: Double,
        isolation: Double = 1
    ) {
        self.position = position
        self.steadyPosition = steadyPosition ?? position
        (self.radius, self.deviation, self.isolation) = (radius, deviation, isolation)
    }
}
