import KinemaCore
import KinemaMedia

/// Converts blobs of a reduced stored picture to objects of the displayed picture.
struct ObjectMap {
    private let map: ReducedMap
    /// The camera's shift since the first frame, in reduced stored pixels.
    private let shift: SIMD2<Double>

    /// The maximum radius as a share of the picture's shorter side.
    private static let maximumRadius = 0.12
    /// The maximum ratio of length to width: the motion blur of a ball that crosses the picture in a quarter second.
    private static let maximumElongation = 5.0
    /// The minimum share of its ellipse that a blob fills.
    private static let minimumFill = 0.6
    /// The minimum fill of a union, which lacks the object's middle.
    private static let minimumUnionFill = 0.45
    /// The maximum ratio of length to width of a union.
    private static let maximumUnionElongation = 2.0

    init(_ frame: VideoFrame, factor: Int, shift: SIMD2<Double>) {
        map = ReducedMap(frame, factor: factor)
        self.shift = shift
    }

    /// The object that a blob shows; nil if its shape or size is not that of a small object.
    func object(_ blob: Blob, in recentMotion: RecentMotionMap, isUnion: Bool = false) -> MovingObject? {
        // At the picture's edge an object is cut off, so its centre is unknown.
        guard blob.area >= 4, blob.left > 1, blob.top > 1, blob.right < recentMotion.width - 2,
            blob.bottom < recentMotion.height - 2
        else { return nil }
        let axes = blob.semiAxes
        let radius = axes.short
        guard radius * map.factor <= Self.maximumRadius * min(map.width, map.height),
            axes.long <= (isUnion ? Self.maximumUnionElongation : Self.maximumElongation) * max(radius, 1),
            Double(blob.area) >= (isUnion ? Self.minimumUnionFill : Self.minimumFill) * Double.pi * axes.long
                * axes.short
        else { return nil }
        let center = blob.center
        // A tenth of the radius, since the outline is never complete, and a third of a pixel.
        let deviation = (0.01 * radius * radius + 0.1).squareRoot()
        return MovingObject(
            position: map.displayed(center) / map.width, steadyPosition: map.displayed(center - shift) / map.width,
            radius: radius * map.factor / map.width, deviation: deviation * map.factor / map.width,
            isolation: isolation(of: blob, radius: radius, in: recentMotion))
    }

    /// The share of the surroundings within 1.5 radii without recent motion: two thirds for a flying object.
    private func isolation(of blob: Blob, radius: Double, in recentMotion: RecentMotionMap) -> Double {
        let margin = Int(1.5 * radius) + 2
        let columns = max(0, blob.left - margin)..<min(recentMotion.width, blob.right + margin + 1)
        let rows = max(0, blob.top - margin)..<min(recentMotion.height, blob.bottom + margin + 1)
        let surroundings = columns.count * rows.count - blob.area
        guard surroundings > 0 else { return 1 }
        return 1 - Double(recentMotion.count(columns: columns, rows: rows) - blob.area) / Double(surroundings)
    }
}

extension MovingObject {
    /// Whether two objects have similar sizes, so that they may be the same.
    func resembles(_ other: MovingObject) -> Bool {
        let slack = 2 * max(deviation, other.deviation)
        return radius < 2 * other.radius + slack && other.radius < 2 * radius + slack
    }
}
