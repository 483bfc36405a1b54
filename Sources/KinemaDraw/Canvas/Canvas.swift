package import Foundation

/// A surface to draw on: a picture in memory or an SVG document.
///
/// Points are in pixels (in SVG, points) from the upper left corner, y down, the way pictures lie in memory. Points
/// that are not finite are left out, and points far outside are drawn clipped, so no input can harm.
package final class Canvas {
    /// The width in pixels.
    package let width: Double
    /// The height in pixels.
    package let height: Double
    let handle: CairoHandle

    init(handle: CairoHandle, width: Double, height: Double) {
        self.handle = handle
        self.width = width
        self.height = height
    }

    /// Draws lines through the points, with round ends; `dash` holds the lengths of strokes and gaps.
    package func stroke(_ points: [CGPoint], color: Color, width: Double, dash: [Double] = [], closed: Bool = false) {
        guard trace(points, closed: closed) else { return }
        handle.setColor(color)
        handle.setStroke(width: width, dash: dash)
        handle.stroke(keepingPath: false)
    }

    /// Draws a line in a dark outline that stands out by `outline` on each side.
    package func stroke(_ points: [CGPoint], color: Color, width: Double, outline: Double, dash: [Double] = []) {
        guard trace(points, closed: false) else { return }
        handle.setColor(.outline.faded(to: color.alpha))
        handle.setStroke(width: width + 2 * outline, dash: dash)
        handle.stroke(keepingPath: true)
        handle.setColor(color)
        handle.setStroke(width: width, dash: dash)
        handle.stroke(keepingPath: false)
    }

    /// Fills the polygon through the points.
    package func fill(_ points: [CGPoint], color: Color) {
        guard trace(points, closed: true) else { return }
        handle.setColor(color)
        handle.fill()
    }

    /// Fills a disc.
    package func disc(at center: CGPoint, radius: Double, color: Color) {
        guard center.isDrawable, radius.isFinite, radius > 0 else { return }
        handle.newSubpath()
        handle.arc(center.x, center.y, radius: radius, from: 0, to: 2 * .pi)
        handle.setColor(color)
        handle.fill()
    }

    /// Draws a circle's line.
    package func circle(at center: CGPoint, radius: Double, color: Color, width: Double) {
        guard center.isDrawable, radius.isFinite, radius > 0 else { return }
        handle.newSubpath()
        handle.arc(center.x, center.y, radius: radius, from: 0, to: 2 * .pi)
        handle.setColor(color)
        handle.setStroke(width: width, dash: [])
        handle.stroke(keepingPath: false)
    }

    /// Fills a rectangle with rounded corners.
    package func fill(_ rectangle: CGRect, cornerRadius: Double = 0, color: Color) {
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
        handle.setColor(color)
        handle.fill()
    }

    /// Lays the points out as a path; false when there is nothing to draw.
    private func trace(_ points: [CGPoint], closed: Bool) -> Bool {
        var begun = false
        for point in points where point.isDrawable {
            if begun { handle.line(to: point.x, point.y) } else { handle.move(to: point.x, point.y) }
            begun = true
        }
        if begun && closed { handle.closePath() }
        return begun
    }
}

// MARK: - Text

extension Canvas {
    /// Where a text's anchor lies along it.
    package enum Alignment: Sendable {
        /// The text starts at the point.
        case leading
        /// The text's middle is at the point.
        case center
        /// The text ends at the point.
        case trailing
    }

    /// Writes a line of text with its base line through the point, turned by `rotation` radians clockwise.
    package func text(
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

    /// How wide a line of text is, in pixels.
    package func width(of text: String, size: Double, bold: Bool = true) -> Double {
        handle.setFont(size: size, bold: bold)
        return handle.advance(of: text.drawable)
    }
}

extension String {
    /// Without control characters and NULs, which Cairo would draw as boxes or take for the end.
    fileprivate var drawable: String {
        String(unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) })
    }
}

extension CGPoint {
    /// Within what Cairo's 24.8 fixed-point numbers hold (plus or minus 8 million).
    var isDrawable: Bool {
        x.isFinite && y.isFinite && abs(x) < 1_000_000 && abs(y) < 1_000_000
    }
}
