public import Foundation

#if !canImport(CoreGraphics)
    /// An affine transform of the plane, with the names of Core Graphics, which exists only on Apple's systems.
    public struct CGAffineTransform: Hashable, Sendable, Codable {
        /// The coefficients of x' = a x + c y + tx and y' = b x + d y + ty.
        public var a, b, c, d, tx, ty: CGFloat

        /// Creates a transform from its six numbers.
        public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
            (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
        }

        /// Creates a translation.
        public init(translationX tx: CGFloat, y ty: CGFloat) {
            self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty)
        }

        /// Makes a scaling.
        public init(scaleX sx: CGFloat, y sy: CGFloat) {
            self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0)
        }

        /// Makes a rotation in radians, from the x axis towards the y axis.
        public init(rotationAngle angle: CGFloat) {
            self.init(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)
        }

        /// The transform that changes nothing.
        public static let identity = CGAffineTransform(translationX: 0, y: 0)

        /// Whether it changes nothing.
        public var isIdentity: Bool { self == .identity }

        /// A translation followed by this transform.
        public func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
            CGAffineTransform(translationX: x, y: y).concatenating(self)
        }

        /// A scaling followed by this transform.
        public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
            CGAffineTransform(scaleX: x, y: y).concatenating(self)
        }

        /// A rotation in radians followed by this transform.
        public func rotated(by angle: CGFloat) -> CGAffineTransform {
            CGAffineTransform(rotationAngle: angle).concatenating(self)
        }

        /// This transform followed by another.
        public func concatenating(_ next: CGAffineTransform) -> CGAffineTransform {
            CGAffineTransform(
                a: a * next.a + b * next.c, b: a * next.b + b * next.d,
                c: c * next.a + d * next.c, d: c * next.b + d * next.d,
                tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
        }

        /// The inverse; the transform itself if it has none, as in Core Graphics.
        public func inverted() -> CGAffineTransform {
            let determinant = a * d - b * c
            guard determinant != 0 else { return self }
            return CGAffineTransform(
                a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
                tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
        }
    }

    extension CGPoint {
        /// The transformed point.
        public func applying(_ transform: CGAffineTransform) -> CGPoint {
            CGPoint(
                x: transform.a * x + transform.c * y + transform.tx,
                y: transform.b * x + transform.d * y + transform.ty)
        }
    }

    extension CGSize {
        /// The transformed size; a translation does not change it.
        public func applying(_ transform: CGAffineTransform) -> CGSize {
            CGSize(
                width: transform.a * width + transform.c * height, height: transform.b * width + transform.d * height)
        }
    }

    extension CGRect {
        /// The smallest upright rectangle around the transformed corners.
        public func applying(_ transform: CGAffineTransform) -> CGRect {
            isNull ? self : CGRect(around: corners.map { $0.applying(transform) }) ?? self
        }
    }

    /// A direction and a length in the plane, with the names of Core Graphics.
    public struct CGVector: Hashable, Sendable, Codable {
        /// The components.
        public var dx, dy: CGFloat

        /// Makes a vector from its components.
        public init(dx: CGFloat, dy: CGFloat) { (self.dx, self.dy) = (dx, dy) }

        /// No length.
        public static let zero = CGVector(dx: 0, dy: 0)
    }
#endif

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

extension SIMD2<Double> {
    package var length: Double { (x * x + y * y).squareRoot() }
}

extension [SIMD2<Double>] {
    /// The corners of the box around the points; infinite without any.
    package var bounds: (low: SIMD2<Double>, high: SIMD2<Double>) {
        reduce((SIMD2(repeating: .infinity), SIMD2(repeating: -.infinity))) {
            (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
        }
    }
}
