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

        /// The transform that changes nothing.
        public static let identity = CGAffineTransform(translationX: 0, y: 0)

        /// Whether it changes nothing.
        public var isIdentity: Bool { self == .identity }
    }

    extension CGPoint {
        /// The transformed point.
        public func applying(_ transform: CGAffineTransform) -> CGPoint {
            CGPoint(
                x: transform.a * x + transform.c * y + transform.tx,
                y: transform.b * x + transform.d * y + transform.ty)
        }
    }
#endif
