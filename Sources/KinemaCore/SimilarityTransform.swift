import Foundation

/// A similarity of the plane; points are in picture heights, x right, y up, origin at the picture's lower left.
package struct SimilarityTransform: Hashable, Sendable, Codable {
    /// The scale times the cosine and the sine of the rotation (counterclockwise).
    package var linear: SIMD2<Double>
    package var shift: SIMD2<Double>

    package static let identity = SimilarityTransform(linear: SIMD2(1, 0), shift: .zero)

    package init(linear: SIMD2<Double>, shift: SIMD2<Double>) { (self.linear, self.shift) = (linear, shift) }

    /// The transform that maps two different points to two others.
    package init(_ one: SIMD2<Double>, _ other: SIMD2<Double>, to target: SIMD2<Double>, _ otherTarget: SIMD2<Double>) {
        let (from, into) = (other - one, otherTarget - target)
        let length = (from * from).sum()
        linear = SIMD2((from * into).sum(), from.x * into.y - from.y * into.x) / length
        shift = .zero
        shift = target - applied(to: one)
    }

    package func applied(to point: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(linear.x * point.x - linear.y * point.y, linear.y * point.x + linear.x * point.y) + shift
    }

    /// This transform, then another.
    package func followed(by other: SimilarityTransform) -> SimilarityTransform {
        SimilarityTransform(
            linear: SIMD2(
                other.linear.x * linear.x - other.linear.y * linear.y,
                other.linear.y * linear.x + other.linear.x * linear.y),
            shift: other.applied(to: shift))
    }

    package var inverse: SimilarityTransform {
        let length = max((linear * linear).sum(), .leastNormalMagnitude)
        var inverse = SimilarityTransform(linear: SIMD2(linear.x, -linear.y) / length, shift: .zero)
        inverse.shift = -inverse.applied(to: shift)
        return inverse
    }
}
