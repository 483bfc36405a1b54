public import Foundation
public import KinemaCore

/// Strokes drawn in the air, on a frame or as a separate drawing.
public struct AirDrawing: Sendable {
    private let strokes: [Stroke]
    /// The line width as a share of the picture's shorter side; Apple's HandPose sample uses 5 of 390 points.
    package static let width = 5.0 / 390

    /// The colour of each stroke, in the same order; a stroke without one gets its hand's colour.
    package var colors: [Color] = []

    /// Creates a drawing of strokes.
    public init(_ strokes: [Stroke]) { self.strokes = strokes }

    /// Draws the strokes on a picture; the dark outline keeps them visible on any background.
    package func draw(on canvas: Canvas, outlined: Bool = true) {
        let width = max(canvas.shortSide * Self.width, 1.5)
        for (index, stroke) in strokes.enumerated() {
            let color = index < colors.count ? colors[index] : Self.color(of: stroke)
            // A stroke of a single point is a dot.
            guard stroke.points.count > 1 else {
                if let point = stroke.points.first {
                    canvas.disc(at: canvas.pixel(of: point), radius: width / 2, color: color)
                }
                continue
            }
            let path = stroke.path.map {
                (end: canvas.pixel(of: $0.end), control: $0.control.map(canvas.pixel(of:)))
            }
            if outlined { canvas.stroke(path, color: .outline, width: width * 1.6) }
            canvas.stroke(path, color: color, width: width)
        }
    }

    /// The drawing as an SVG document; the size is in pixels.
    package func svg(width: Int, height: Int) throws -> String {
        let bytes = try Canvas.svg(width: Double(width), height: Double(height)) { draw(on: $0, outlined: false) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the drawing of a size in pixels as `.svg` or `.png`.
    ///
    /// Throws `.invalidArgument` for any other extension, `.unwritableOutput` when the file cannot be written.
    public func write(to url: URL, width: Int, height: Int) throws {
        try Canvas.write(width: Double(width), height: Double(height), to: url) { draw(on: $0, outlined: false) }
    }

    /// Orange for the left hand, blue for the right: safe for colour-blind readers and dark enough on white.
    private static func color(of stroke: Stroke) -> Color {
        stroke.hand == .left ? Color(hex: 0xE07B00) : Color(hex: 0x0072B2)
    }
}

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
