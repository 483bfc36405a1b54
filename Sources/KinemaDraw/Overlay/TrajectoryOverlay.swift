public import Foundation

/// The paths of things that fly, or flew a moment ago, over the picture.
public struct TrajectoryOverlay: Sendable {
    /// One path.
    public struct Path: Sendable {
        /// Where the thing was seen, oldest first: normalised, origin at the lower left.
        public var points: [CGPoint]
        /// The same places on the fitted parabola.
        public var curve: [CGPoint]
        /// The thing's radius in picture widths.
        public var radius: Double
        /// Whether it still flies; then its last place gets a ring.
        public var isFlying: Bool
        /// How strongly it is drawn, 0...1.
        public var strength: Double
        /// Which of the palette's colours it has.
        public var number: Int

        /// Makes a path of normalised points; the radius is in picture widths.
        public init(
            points: [CGPoint], curve: [CGPoint], radius: Double, isFlying: Bool, strength: Double, number: Int
        ) {
            self.points = points
            self.curve = curve
            self.radius = radius
            self.isFlying = isFlying
            self.strength = strength
            self.number = number
        }
    }

    /// The paths, drawn in this order.
    public var paths: [Path]

    /// Makes an overlay of paths.
    public init(_ paths: [Path]) {
        self.paths = paths
    }

    /// Draws each path's curve, a dot at every place it was seen, and a ring around what still flies.
    public func draw(on canvas: Canvas) {
        let width = max(canvas.shortSide * 0.007, 1.5)
        for path in paths {
            let color = Color.person(path.number).faded(to: path.strength)
            canvas.stroke(path.curve.map(canvas.place), color: color, width: width, outline: width * 0.4)
            for point in path.points.map(canvas.place) {
                canvas.disc(at: point, radius: width * 0.9, color: .outline.faded(to: path.strength))
                canvas.disc(at: point, radius: width * 0.6, color: .white.faded(to: path.strength))
            }
            guard path.isFlying, let last = path.points.last.map(canvas.place) else { continue }
            let radius = max(path.radius * canvas.width * 1.3, width * 2)
            canvas.circle(at: last, radius: radius, color: .outline, width: width * 1.8)
            canvas.circle(at: last, radius: radius, color: color, width: width)
        }
    }
}
