#if !canImport(CoreGraphics)
    public import Foundation

    /// A linear map of the plane and a shift, with the names of Core Graphics, which only Apple's systems have.
    ///
    /// x' = a x + c y + tx, y' = b x + d y + ty.
    public struct CGAffineTransform: Hashable, Sendable, Codable {
        /// What x contributes to x'.
        public var a: CGFloat
        /// What x contributes to y'.
        public var b: CGFloat
        /// What y contributes to x'.
        public var c: CGFloat
        /// What y contributes to y'.
        public var d: CGFloat
        /// The shift along x.
        public var tx: CGFloat
        /// The shift along y.
        public var ty: CGFloat

        /// Makes a transform from its six numbers.
        public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
            (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
        }

        /// Makes a shift.
        public init(translationX tx: CGFloat, y ty: CGFloat) {
            self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty)
        }

        /// The transform that changes nothing.
        public static let identity = CGAffineTransform(translationX: 0, y: 0)

        /// Whether it changes nothing.
        public var isIdentity: Bool { self == .identity }
    }

    extension CGPoint {
        /// Where a transform takes the point.
        public func applying(_ transform: CGAffineTransform) -> CGPoint {
            CGPoint(
                x: transform.a * x + transform.c * y + transform.tx,
                y: transform.b * x + transform.d * y + transform.ty)
        }
    }
#endif
