import Foundation
import KinemaCore
import KinemaMedia

/// Turns patches of a small stored picture into objects of the displayed one.
struct ObjectMap {
    private let map: PixelMap
    private let factor: Double
    private let width: Double
    private let height: Double
    /// How far the camera has moved everything, in small stored pixels.
    private let shift: SIMD2<Double>

    /// A patch wider than this share of the shorter side is no small object.
    private static let maximumRadius = 0.12
    /// How much longer than wide blur may make a ball that crosses the picture in a quarter of a second.
    private static let maximumElongation = 5.0
    /// The least share of its own ellipse a patch must fill.
    private static let minimumFill = 0.6
    /// The same for two sides of one thing, which lack its middle; and how much longer than wide they may be together.
    private static let minimumUnionFill = 0.45
    private static let maximumUnionElongation = 2.0

    init(_ frame: VideoFrame, factor: Int, shift: SIMD2<Double>) {
        map = frame.withPlanes { $0.map }
        self.factor = Double(factor)
        (width, height) = (Double(frame.width), Double(frame.height))
        self.shift = shift
    }

    /// The object a patch shows; nil when its shape or size is none of a small thing's.
    func object(_ blob: Blob, in unrest: UnrestMap, isUnion: Bool = false) -> MovingObject? {
        // At the picture's edge only a part shows, whose middle is not the thing's.
        guard blob.area >= 4, blob.left > 1, blob.top > 1, blob.right < unrest.width - 2,
            blob.bottom < unrest.height - 2
        else { return nil }
        let axes = blob.semiAxes
        let radius = axes.short
        guard radius * factor <= Self.maximumRadius * min(width, height),
            axes.long <= (isUnion ? Self.maximumUnionElongation : Self.maximumElongation) * max(radius, 1),
            Double(blob.area) >= (isUnion ? Self.minimumUnionFill : Self.minimumFill) * Double.pi * axes.long
                * axes.short
        else { return nil }
        let middle = blob.middle
        let position = displayed(middle)
        // A tenth of the radius, for its outline is never seen whole, and a third of a pixel.
        let deviation = (0.01 * radius * radius + 0.1).squareRoot()
        return MovingObject(
            position: position, steadyPosition: displayed(middle - shift), radius: radius * factor / width,
            deviation: deviation * factor / width,
            isolation: isolation(of: blob, radius: radius, in: unrest))
    }

    /// Where a place of the small stored picture is displayed: in picture widths, origin at the lower left.
    private func displayed(_ place: SIMD2<Double>) -> SIMD2<Double> {
        // The small pixel's middle among the frame's own.
        let x = (place.x + 0.5) * factor - 0.5 - Double(map.x0)
        let y = (place.y + 0.5) * factor - 0.5 - Double(map.y0)
        // The map's turn is its own inverse, transposed.
        let column = Double(map.xx) * x + Double(map.yx) * y
        let row = Double(map.xy) * x + Double(map.yy) * y
        return SIMD2((column + 0.5) / width, (height - row - 0.5) / width)
    }

    /// The share of a frame around the patch, as wide as one and a half radii, in which nothing moved for a while.
    ///
    /// Behind a thing that flies alone lies its own trail, a third of the frame; around a limb, or a gap between limbs,
    /// the body has just passed everywhere.
    private func isolation(of blob: Blob, radius: Double, in unrest: UnrestMap) -> Double {
        let margin = Int(1.5 * radius) + 2
        let columns = max(0, blob.left - margin)..<min(unrest.width, blob.right + margin + 1)
        let rows = max(0, blob.top - margin)..<min(unrest.height, blob.bottom + margin + 1)
        let around = columns.count * rows.count - blob.area
        return around > 0 ? 1 - Double(unrest.count(columns: columns, rows: rows) - blob.area) / Double(around) : 1
    }
}
