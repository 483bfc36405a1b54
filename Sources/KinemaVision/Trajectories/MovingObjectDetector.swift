import Foundation
package import KinemaCore
package import KinemaMedia

/// Finds what is small and moves, frame by frame, whatever it is.
///
/// Each frame, made smaller, is compared with five from the half second before, moved to where the camera looks now.
/// Patches that stand out and are compact are objects. Nothing waits for later frames.
package struct MovingObjectDetector: Sendable {
    /// What one frame shows.
    package struct Sight: Sendable {
        /// Everything small that moves.
        package var objects: [MovingObject] = []
        /// Whether this is another scene than the frame before, after which nothing can be followed.
        package var isNewScene = false
    }

    /// A frame that was seen.
    private struct Past: Sendable {
        let time: TimeInterval
        let picture: SmallPicture
        /// How far the camera had moved everything since the first frame, in small pixels.
        let shift: SIMD2<Double>
    }

    /// How many of a frame's pixels, along either side, are looked at as one; nil until the first frame.
    package private(set) var factor: Int?
    /// The longest side that is looked at, in pixels; less is faster and misses what is smaller.
    package var maximumSide = Self.finestSide

    private var past: [Past] = []
    private var unrest = UnrestMap()
    private var camera = CameraShift()
    private var shift = SIMD2<Double>()
    private var size = (width: 0, height: 0)

    /// Sides of 480 to 960 pixels: a ball of 0.2 m still spans three of them in a view 60 m wide.
    package static let finestSide = 960
    /// How far back the pictures lie that the background is made of, seconds.
    private static let memory = 0.5
    /// A background needs pictures from at least that long, seconds.
    private static let shortestMemory = 0.09

    /// Makes a detector that has seen nothing.
    package init() {}

    /// Takes the stream's next frame.
    package mutating func update(_ frame: VideoFrame) -> Sight {
        var sight = Sight()
        let factor = max(1, (max(frame.width, frame.height) + maximumSide - 1) / maximumSide)
        if factor != self.factor || size != (frame.width, frame.height) {
            sight.isNewScene = self.factor != nil
            self.factor = factor
            size = (frame.width, frame.height)
            past = []
            unrest = UnrestMap()
            camera = CameraShift()
        }
        let now = SmallPicture(frame, factor: factor)
        guard let move = camera.update(now.luma.reduced(by: 4)) else {
            past = [Past(time: frame.time, picture: now, shift: shift)]
            unrest = UnrestMap()
            return Sight(isNewScene: true)
        }
        shift += move * 4
        defer { remember(Past(time: frame.time, picture: now, shift: shift)) }
        guard let background = background(at: frame.time) else { return sight }
        let movement = MovementPicture(of: now, past: background)
        settle(movement, at: frame.time)
        let blobs = BlobFinder.blobs(in: movement)
        let map = ObjectMap(frame, factor: factor, shift: shift)
        sight.objects =
            blobs.compactMap { map.object($0, in: unrest) }
            + Blob.unions(of: blobs).compactMap { map.object($0, in: unrest, isUnion: true) }
        if sight.objects.count > Self.maximumObjects {
            sight.objects.sort { $0.isolation > $1.isolation }
            sight.objects.removeLast(sight.objects.count - Self.maximumObjects)
        }
        return sight
    }

    /// More than that are leaves in the wind or a crowd, of which those most by themselves are kept.
    private static let maximumObjects = 64

    /// Keeps in mind where something moves, for as long as the memory reaches.
    private mutating func settle(_ movement: MovementPicture, at time: TimeInterval) {
        let (before, elapsed) = (past.last?.shift ?? shift, time - (past.last?.time ?? time))
        let move = (
            x: Int(shift.x.rounded()) - Int(before.x.rounded()), y: Int(shift.y.rounded()) - Int(before.y.rounded())
        )
        let fade = min(max(255 * elapsed / Self.memory, 1), 255)
        unrest.update(movement, fade: UInt8(fade), shift: move)
    }

    private mutating func remember(_ picture: Past) {
        past.append(picture)
        let oldest = picture.time - Self.memory
        // One that is older than all of the memory stays, for slow streams.
        while past.count > 5, past[1].time <= oldest { past.removeFirst() }
    }

    /// Five pictures spread over the memory, or over what there is of it.
    private func background(at time: TimeInterval) -> [PastPicture]? {
        guard past.count >= 3, let first = past.first, time - first.time >= Self.shortestMemory else { return nil }
        let span = min(Self.memory, time - first.time)
        var next = past.count - 1
        return (1...5).map { step in
            let wanted = time - span * Double(step) / 5
            while next > 0, past[next].time > wanted + 1e-6 { next -= 1 }
            let move = shift - past[next].shift
            return PastPicture(
                picture: past[next].picture, shift: (Int(move.x.rounded()), Int(move.y.rounded())))
        }
    }
}

/// A patch of pixels that move, with what its shape needs to be known by.
struct Blob: Sendable {
    /// Pixels.
    var area = 0
    /// Sums of columns and rows, and of their squares and product.
    var x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0
    /// The same for the middle, each pixel weighted by how much it differs.
    var weight = 0.0, weightedX = 0.0, weightedY = 0.0
    var left = Int.max, right = Int.min, top = Int.max, bottom = Int.min

    mutating func add(_ other: Blob) {
        area += other.area
        x += other.x
        y += other.y
        xx += other.xx
        yy += other.yy
        xy += other.xy
        weight += other.weight
        weightedX += other.weightedX
        weightedY += other.weightedY
        left = min(left, other.left)
        right = max(right, other.right)
        top = min(top, other.top)
        bottom = max(bottom, other.bottom)
    }

    /// The middle in pixels: the centre of the first pixel is (0, 0).
    var middle: SIMD2<Double> { SIMD2(weightedX / weight, weightedY / weight) }

    /// Half the length and half the width of the ellipse with the same second moments.
    var semiAxes: (long: Double, short: Double) {
        let count = Double(area)
        let (mx, my) = (x / count, y / count)
        // A pixel is not a point: a square of side 1 has a variance of 1/12.
        let (a, b, c) = (xx / count - mx * mx + 1 / 12, xy / count - mx * my, yy / count - my * my + 1 / 12)
        let (mean, half) = ((a + c) / 2, ((a - c) * (a - c) / 4 + b * b).squareRoot())
        return (2 * (mean + half).squareRoot(), 2 * max(mean - half, 1 / 12).squareRoot())
    }

    /// Patches that may be the two sides of one thing, taken together: a ball that is lit is brighter than a grey wall on
    /// one side and darker on the other, and in between it is as grey as the wall.
    static func unions(of blobs: [Blob]) -> [Blob] {
        let pieces = blobs.filter { $0.area >= 4 }.sorted { $0.left < $1.left }
        guard pieces.count <= maximumPieces else { return [] }
        var unions: [Blob] = []
        for (index, one) in pieces.enumerated() {
            let reach = one.semiAxes.short
            for other in pieces[(index + 1)...] {
                let gap = SIMD2(other.left - one.right, max(other.top - one.bottom, one.top - other.bottom)) &- 1
                let limit = reach + other.semiAxes.short
                if Double(gap.x) > 2 * reach + 1 && Double(gap.x) > limit { break }
                guard Double(max(gap.x, gap.y)) <= limit,
                    one.area <= largestRatio * other.area, other.area <= largestRatio * one.area
                else { continue }
                var union = one
                union.add(other)
                unions.append(union)
            }
        }
        return unions
    }

    /// More patches than that are grain or leaves; to pair them would take long and say nothing.
    private static let maximumPieces = 128
    /// Two sides of one thing differ in area by no more.
    private static let largestRatio = 6
}

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
