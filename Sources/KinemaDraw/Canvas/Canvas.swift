public import Foundation
package import KinemaCore

/// A surface to draw on: an image in memory or an SVG document.
///
/// Coordinates are in pixels (points in SVG) from the upper left corner, y down. Points that are not finite or beyond a
/// million pixels are ignored.
public final class Canvas {
    /// The size in pixels.
    public let width, height: Double
    let handle: CairoHandle

    init(handle: CairoHandle, width: Double, height: Double) {
        (self.handle, self.width, self.height) = (handle, width, height)
    }

    /// Draws a polyline with round ends; `dash` alternates the lengths of dashes and gaps.
    public func stroke(_ points: [CGPoint], color: Color, width: Double, dash: [Double] = [], closed: Bool = false) {
        guard trace(points, closed: closed) else { return }
        stroke(color, width: width, dash: dash)
    }

    /// Draws a polyline with a dark outline, `outline` pixels wide on each side.
    package func stroke(_ points: [CGPoint], color: Color, width: Double, outline: Double, dash: [Double] = []) {
        guard trace(points, closed: false) else { return }
        stroke(.outline.faded(to: color.alpha), width: width + 2 * outline, dash: dash, keepingPath: true)
        stroke(color, width: width, dash: dash)
    }

    /// Fills the polygon through the points.
    public func fill(_ points: [CGPoint], color: Color) {
        guard trace(points, closed: true) else { return }
        fill(color)
    }

    /// Fills a disc.
    public func disc(at center: CGPoint, radius: Double, color: Color) {
        guard traceCircle(at: center, radius: radius) else { return }
        fill(color)
    }

    package func circle(at center: CGPoint, radius: Double, color: Color, width: Double) {
        guard traceCircle(at: center, radius: radius) else { return }
        stroke(color, width: width)
    }

    /// Fills a rectangle with rounded corners.
    public func fill(_ rectangle: CGRect, cornerRadius: Double = 0, color: Color) {
        let box = rectangle.standardized
        let low = CGPoint(x: box.minX, y: box.minY)
        let high = CGPoint(x: box.maxX, y: box.maxY)
        guard low.isDrawable, high.isDrawable, box.width > 0, box.height > 0 else { return }
        let radius = min(max(cornerRadius, 0), box.width / 2, box.height / 2)
        let quarter = Double.pi / 2
        handle.newSubpath()
        handle.arc(high.x - radius, low.y + radius, radius: radius, from: -quarter, to: 0)
        handle.arc(high.x - radius, high.y - radius, radius: radius, from: 0, to: quarter)
        handle.arc(low.x + radius, high.y - radius, radius: radius, from: quarter, to: 2 * quarter)
        handle.arc(low.x + radius, low.y + radius, radius: radius, from: 2 * quarter, to: 3 * quarter)
        handle.closePath()
        fill(color)
    }

    private func stroke(_ color: Color, width: Double, dash: [Double] = [], keepingPath: Bool = false) {
        handle.setColor(color)
        handle.setStroke(width: width, dash: dash)
        handle.stroke(keepingPath: keepingPath)
    }

    private func fill(_ color: Color) {
        handle.setColor(color)
        handle.fill()
    }

    private func traceCircle(at center: CGPoint, radius: Double) -> Bool {
        guard center.isDrawable, radius.isFinite, radius > 0 else { return false }
        handle.newSubpath()
        handle.arc(center.x, center.y, radius: radius, from: 0, to: 2 * .pi)
        return true
    }

    /// Adds the points to the current path; false when there is nothing to draw.
    private func trace(_ points: [CGPoint], closed: Bool) -> Bool {
        var hasStarted = false
        for point in points where point.isDrawable {
            if hasStarted { handle.line(to: point.x, point.y) } else { handle.move(to: point.x, point.y) }
            hasStarted = true
        }
        if hasStarted && closed { handle.closePath() }
        return hasStarted
    }
}

// MARK: - Text

extension Canvas {
    /// How a text is aligned with its anchor point.
    public enum Alignment: Sendable {
        /// The text starts at the point.
        case leading
        /// The text is centred on the point.
        case center
        /// The text ends at the point.
        case trailing
    }

    /// Draws a line of text with its baseline through the point, rotated clockwise by `rotation` radians.
    public func text(
        _ text: String, at point: CGPoint, size: Double, color: Color, bold: Bool = true,
        alignment: Alignment = .leading, rotation: Double = 0
    ) {
        guard point.isDrawable, size.isFinite, size > 0 else { return }
        let line = text.drawable
        handle.save()
        handle.setFont(size: size, bold: bold)
        handle.setColor(color)
        handle.transform(translateX: point.x, y: point.y, rotation: rotation)
        let shift =
            switch alignment {
            case .leading: 0.0
            case .center: -handle.advance(of: line) / 2
            case .trailing: -handle.advance(of: line)
            }
        handle.show(line, x: shift, y: 0)
        handle.restore()
    }

    /// The width of a line of text in pixels.
    public func width(of text: String, size: Double, bold: Bool = true) -> Double {
        handle.setFont(size: size, bold: bold)
        return handle.advance(of: text.drawable)
    }
}

extension String {
    /// The text without control characters, which Cairo draws as boxes, and NULs, which end it early.
    fileprivate var drawable: String {
        String(unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) })
    }
}

extension CGPoint {
    /// Whether Cairo's 24.8 fixed-point numbers can hold the point (their limit is about 8 million).
    var isDrawable: Bool { x.isFinite && y.isFinite && abs(x) < 1_000_000 && abs(y) < 1_000_000 }
}

// MARK: - Strokes

extension Canvas {
    package func stroke(_ path: [Stroke.Segment], color: Color, width: Double) {
        guard trace(path) else { return }
        stroke(color, width: width)
    }

    /// Adds the segments to the current path; false when there is nothing to draw.
    private func trace(_ path: [Stroke.Segment]) -> Bool {
        var last: CGPoint?
        for (end, control) in path where end.isDrawable && control?.isDrawable != false {
            if let start = last, let control {
                // Cairo has only cubic curves; this cubic equals the quadratic curve.
                handle.curve(
                    start.x + (control.x - start.x) * 2 / 3, start.y + (control.y - start.y) * 2 / 3,
                    end.x + (control.x - end.x) * 2 / 3, end.y + (control.y - end.y) * 2 / 3, to: end.x, end.y)
            } else if last != nil {
                handle.line(to: end.x, end.y)
            } else {
                handle.move(to: end.x, end.y)
            }
            last = end
        }
        return last != nil
    }
}
