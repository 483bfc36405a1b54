/// A position in a stored picture, or a displacement, in units of 1/65536 pixel.
struct SamplePosition: Equatable {
    var x: Int, y: Int

    @inline(__always)
    static func + (a: Self, b: Self) -> Self { Self(x: a.x &+ b.x, y: a.y &+ b.y) }
    @inline(__always)
    static func * (a: Self, count: Int) -> Self { Self(x: a.x &* count, y: a.y &* count) }
}
