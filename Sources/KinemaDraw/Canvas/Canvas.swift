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

    /// Draws a line with round ends whose colour runs from one to the other.
    package func stroke(from start: CGPoint, to end: CGPoint, colors: (Color, Color), width: Double) {
        guard start.isDrawable, end.isDrawable, trace([start, end], closed: false) else { return }
        handle.setStroke(width: width, dash: [])
        handle.stroke(from: start, to: end, colors: colors)
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

/// An RGBA colour; channels are 0...1 and not premultiplied.
public struct Color: Hashable, Sendable {
    package var red, green, blue, alpha: Double

    /// Creates a colour from channels of 0...1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Creates an opaque colour from a hexadecimal number such as 0xFF8800.
    public init(hex: UInt32) {
        self.init(
            red: Double(hex >> 16 & 0xFF) / 255, green: Double(hex >> 8 & 0xFF) / 255, blue: Double(hex & 0xFF) / 255)
    }

    /// The colour mixed with a share of white.
    func lightened(by share: Double) -> Color {
        Color(
            red: red + (1 - red) * share, green: green + (1 - green) * share, blue: blue + (1 - blue) * share,
            alpha: alpha)
    }

    package func faded(to factor: Double) -> Color {
        Color(red: red, green: green, blue: blue, alpha: alpha * factor)
    }

    /// White and black, opaque.
    public static let white = Color(hex: 0xFFFFFF), black = Color(hex: 0x000000)

    /// The colours of people, safe for colour-blind readers: Okabe and Ito, "Color Universal Design" (2008), with dark
    /// colours brightened and vermilion reserved for faults.
    package static let people = [
        Color(hex: 0x56B4E9), Color(hex: 0xFFA81E), Color(hex: 0x1FD6A0), Color(hex: 0xF0E442), Color(hex: 0xF08CC8),
        Color(hex: 0xFFFFFF), Color(hex: 0x8C9BFF), Color(hex: 0xB9E35A),
    ]

    /// The colour of joints that break a rule: the palette's vermilion, made more saturated.
    package static let fault = Color(hex: 0xFF2A1A)

    /// The dark outline that keeps overlays visible on bright backgrounds.
    package static let outline = Color(red: 0.05, green: 0.05, blue: 0.07, alpha: 0.8)

    package static func person(_ id: Int) -> Color { people.cycled(id) }

    /// A person's colour on white: Okabe and Ito's palette, darkened where the contrast was below 3 to 1.
    package static func chart(_ id: Int) -> Color {
        Color(hex: [0x0072B2, 0xC65A00, 0x00805C, 0xA8568A, 0x3D6FA8, 0x8A6D00, 0x5B4FB0, 0x4F7A1E].cycled(id))
    }
}

extension Array {
    /// The element at an index that may be negative or beyond the end, as in a repeating array.
    fileprivate func cycled(_ index: Int) -> Element { self[((index % count) + count) % count] }
}
