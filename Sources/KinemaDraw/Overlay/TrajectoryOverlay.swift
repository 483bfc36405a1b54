package import Foundation

/// The paths of objects in flight, and of recent flights, over an image.
public struct TrajectoryOverlay: Sendable {
    /// One object's path, normalised, origin at the lower left; its radius in picture widths; its number selects its
    /// colour. One in flight has a ring at its last position, one that does not count as a flight is thin and grey.
    package typealias Path = (
        points: [CGPoint], curve: [CGPoint], radius: Double, isFlying: Bool, strength: Double, number: Int,
        isRefused: Bool
    )

    private let paths: [Path]

    package init(_ paths: [Path]) { self.paths = paths }

    /// Draws each path's curve with dots at detections and rings around objects in flight, or a thin line if refused.
    func draw(on canvas: Canvas) {
        let width = max(canvas.shortSide * 0.007, 1.5)
        for path in paths {
            guard !path.isRefused else {
                canvas.stroke(
                    path.points.map(canvas.pixel(of:)), color: .white.faded(to: 0.6 * path.strength), width: width * 0.5
                )
                continue
            }
            let color = Color.person(path.number).faded(to: path.strength)
            canvas.stroke(path.curve.map(canvas.pixel(of:)), color: color, width: width, outline: width * 0.4)
            for point in path.points.map(canvas.pixel(of:)) {
                canvas.disc(at: point, radius: width * 0.9, color: .outline.faded(to: path.strength))
                canvas.disc(at: point, radius: width * 0.6, color: .white.faded(to: path.strength))
            }
            guard path.isFlying, let last = path.points.last.map(canvas.pixel(of:)) else { continue }
            let radius = max(path.radius * canvas.width * 1.3, width * 2)
            canvas.circle(at: last, radius: radius, color: .outline, width: width * 1.8)
            canvas.circle(at: last, radius: radius, color: color, width: width)
        }
    }
}
