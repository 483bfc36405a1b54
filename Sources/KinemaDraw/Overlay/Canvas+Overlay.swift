import Foundation

extension Canvas {
    /// The shorter side in pixels, which overlays scale with.
    var shortSide: Double { min(width, height) }

    /// The pixel of a normalised point, origin at the lower left.
    func pixel(of point: CGPoint) -> CGPoint { CGPoint(x: point.x * width, y: (1 - point.y) * height) }

    /// The text, cut to `limit` pixels with three dots at the end if it is too long.
    func truncated(_ text: String, size: Double, to limit: Double) -> String {
        guard width(of: text, size: size) > limit else { return text }
        var cut = String(text.prefix(200))
        while !cut.isEmpty, width(of: cut + "...", size: size) > limit { cut.removeLast() }
        return cut + "..."
    }

    /// The largest size, at most `most`, at which a text fits into `limit` pixels.
    func size(of text: String, atMost most: Double, fitting limit: Double) -> Double {
        let width = width(of: text, size: most)
        return width > limit ? most * max(limit, 1) / width : most
    }

    /// Draws a plate for a label, below other plates if it would cover them, and returns its frame.
    func plate(_ place: CGRect, size: Double, below plates: inout [CGRect]) -> CGRect {
        var plate = place
        plate.origin.x = min(max(place.minX, 0), max(width - place.width, 0))
        while let other = plates.first(where: { $0.intersects(plate) }) { plate.origin.y = other.maxY + 1 }
        plates.append(plate)
        fill(plate, cornerRadius: size * 0.25, color: HUD.plate)
        return plate
    }

    /// Draws a text on its shadow, which is shifted to the lower right by `offset` pixels.
    func text(_ text: String, at point: CGPoint, size: Double, color: Color, shadow: Color, offset: Double) {
        let below = CGPoint(x: point.x + offset, y: point.y + offset)
        self.text(text, at: below, size: size, color: shadow, alignment: .center)
        self.text(text, at: point, size: size, color: color, alignment: .center)
    }
}
