public import Foundation
public import KinemaCore

/// Draws strokes: on a picture, or as a drawing of their own in a file.
public struct AirDrawing: Sendable {
    /// The lines to draw.
    public var strokes: [Stroke]
    /// The line's width as a share of the picture's shorter side; 5 points on a view 390 wide in the HandPose sample.
    public var width = 5.0 / 390

    /// The colour of each line, in their order; where there is none, the hand's.
    public var colors: [Color] = []

    /// Makes a drawing of strokes.
    public init(_ strokes: [Stroke]) {
        self.strokes = strokes
    }

    /// Draws the strokes on a picture, in a dark outline so that they show on any ground.
    public func draw(on canvas: Canvas, outlined: Bool = true) {
        let width = max(canvas.shortSide * width, 1.5)
        for (index, stroke) in strokes.enumerated() {
            let color = index < colors.count ? colors[index] : Self.color(of: stroke)
            // A tap of the tips leaves a dot.
            guard stroke.points.count > 1 else {
                if let point = stroke.points.first {
                    canvas.disc(at: canvas.place(point), radius: width / 2, color: color)
                }
                continue
            }
            let path = stroke.path.map(canvas.place)
            if outlined { canvas.stroke(path, color: .outline, width: width * 1.6) }
            canvas.stroke(path, color: color, width: width)
        }
    }

    /// The drawing on white, in pixels of that size.
    ///
    /// Throws `KinemaError.Code.unwritableOutput` when Cairo cannot draw.
    public func bitmap(width: Int, height: Int) throws -> Bitmap {
        var bitmap = Bitmap(width: width, height: height, red: 255, green: 255, blue: 255)
        try bitmap.draw { canvas in draw(on: canvas, outlined: false) }
        return bitmap
    }

    /// The drawing as an SVG document, in a size in pixels.
    ///
    /// Throws `KinemaError.Code.unwritableOutput` when Cairo cannot draw.
    public func svg(width: Int, height: Int) throws -> String {
        let bytes = try Canvas.svg(width: Double(width), height: Double(height)) { draw(on: $0, outlined: false) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the drawing as SVG or PNG, whichever the file's name ends with, in a size in pixels.
    ///
    /// Throws `KinemaError.Code.invalidArgument` for another name, `.unwritableOutput` when it cannot be written.
    public func write(to url: URL, width: Int, height: Int) throws {
        switch url.pathExtension.lowercased() {
        case "svg":
            try Canvas.writeSVG(width: Double(width), height: Double(height), to: url) { canvas in
                draw(on: canvas, outlined: false)
            }
        case "png": try bitmap(width: width, height: height).writePNG(to: url)
        default: throw KinemaError(.invalidArgument, "a drawing is .svg or .png; name it so", file: url.path)
        }
    }

    /// Orange for the left hand, blue for the right: told apart by colour-blind readers, dark enough for white ground.
    private static func color(of stroke: Stroke) -> Color {
        stroke.hand == .left ? Color(hex: 0xE07B00) : Color(hex: 0x0072B2)
    }
}

extension Canvas {
    /// Where a normalised point, origin at the lower left, lies on the canvas.
    func place(_ point: CGPoint) -> CGPoint {
        CGPoint(x: point.x * width, y: (1 - point.y) * height)
    }

    fileprivate func place(_ segment: Stroke.Segment) -> Stroke.Segment {
        switch segment {
        case .move(let point): .move(place(point))
        case .line(let point): .line(place(point))
        case .curve(let point, let control): .curve(place(point), control: place(control))
        }
    }
}
