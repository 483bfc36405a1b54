/// Where a body is, in pixels.
struct BodyExtent: Sendable, Codable {
    var middle: SIMD2<Double>
    var size: Double
}
