import Foundation
package import KinemaCore
package import KinemaMedia

/// Detects small moving objects, frame by frame.
///
/// Each frame is scaled down and compared with five frames of the last half second, shifted by the camera's motion.
/// Compact regions that differ are objects. Detection needs no later frames.
package struct MovingObjectDetector: Sendable {
    /// The detections in one frame.
    package struct Detections: Sendable {
        /// The small moving objects.
        package var objects: [MovingObject] = []
        /// Whether the frame shows another scene than the previous one, which ends all flights.
        package var isNewScene = false
        /// Whether the frame is the previous one once more, as in recordings converted to a higher frame rate.
        package var isRepeated = false
    }

    /// A past frame.
    private struct Past: Sendable {
        let time: TimeInterval
        let picture: ReducedFrame
        /// The camera's shift since the first frame, in reduced pixels.
        let shift: SIMD2<Double>
    }

    /// The factor by which frames are scaled down; nil before the first frame.
    package private(set) var factor: Int?
    /// The maximum longer side of the scaled frame in pixels; smaller is faster but misses small objects.
    package var maximumSide = Self.finestSide

    private var past: [Past] = []
    private var recentMotion = RecentMotionMap()
    private var camera = CameraMotionEstimator()
    private var shift = SIMD2<Double>()
    private var size = (width: 0, height: 0)
    private var repetition = RepeatedFrameFinder()

    /// The default of `maximumSide`: a ball of 0.2 m still spans three pixels in a view 60 m wide.
    package static let finestSide = 960
    /// The time span of the background in seconds.
    private static let memory = 0.5
    /// The minimum time span of a background in seconds.
    private static let minimumMemory = 0.09
    /// The maximum number of objects; of leaves in the wind or a crowd, the most isolated ones are kept.
    private static let maximumObjects = 64

    /// Creates a detector without a background.
    package init() {}

    /// Processes the stream's next frame.
    package mutating func update(_ frame: VideoFrame) -> Detections {
        var detections = Detections()
        let factor = max(1, (max(frame.width, frame.height) + maximumSide - 1) / maximumSide)
        if factor != self.factor || size != (frame.width, frame.height) {
            detections.isNewScene = self.factor != nil
            self.factor = factor
            size = (frame.width, frame.height)
            past = []
            recentMotion = RecentMotionMap()
            camera = CameraMotionEstimator()
        }
        let now = ReducedFrame(frame, factor: factor)
        let small = now.luma.reduced(by: 4)
        if repetition.repeats(small, at: frame.time) {
            detections.isRepeated = true
            return detections
        }
        guard let cameraShift = camera.update(small) else {
            past = [Past(time: frame.time, picture: now, shift: shift)]
            recentMotion = RecentMotionMap()
            return Detections(isNewScene: true)
        }
        shift += cameraShift * 4
        defer { store(Past(time: frame.time, picture: now, shift: shift)) }
        guard let background = background(at: frame.time) else { return detections }
        let movement = DifferencePicture(of: now, past: background)
        updateRecentMotion(movement, at: frame.time)
        let blobs = BlobFinder.blobs(in: movement)
        let map = ObjectMap(frame, factor: factor, shift: shift)
        detections.objects =
            blobs.compactMap { map.object($0, in: recentMotion) }
            + Blob.unions(of: blobs).compactMap { map.object($0, in: recentMotion, isUnion: true) }
        if detections.objects.count > Self.maximumObjects {
            // Specks of less than three pixels are noise more often than balls.
            let speck = 1.5 * Double(factor) / Double(frame.width)
            func rank(_ object: MovingObject) -> Double { object.isolation * min(1, object.radius / speck) }
            detections.objects.sort { rank($0) > rank($1) }
            detections.objects.removeLast(detections.objects.count - Self.maximumObjects)
        }
        return detections
    }

    private mutating func updateRecentMotion(_ movement: DifferencePicture, at time: TimeInterval) {
        let (before, elapsed) = (past.last?.shift ?? shift, time - (past.last?.time ?? time))
        let change = (
            x: Int(shift.x.rounded()) - Int(before.x.rounded()), y: Int(shift.y.rounded()) - Int(before.y.rounded())
        )
        let fade = min(max(255 * elapsed / Self.memory, 1), 255)
        recentMotion.update(movement, fade: UInt8(fade), shift: change)
    }

    private mutating func store(_ picture: Past) {
        past.append(picture)
        let oldest = picture.time - Self.memory
        // For slow streams, one picture older than the memory is kept.
        while past.count > 5, past[1].time <= oldest { past.removeFirst() }
    }

    /// Five pictures spread over the memory, or over the available part of it.
    private func background(at time: TimeInterval) -> [BackgroundPicture]? {
        guard past.count >= 3, let first = past.first, time - first.time >= Self.minimumMemory else { return nil }
        let span = min(Self.memory, time - first.time)
        var next = past.count - 1
        return (1...5).map { step in
            let wanted = time - span * Double(step) / 5
            while next > 0, past[next].time > wanted + 1e-6 { next -= 1 }
            let change = shift - past[next].shift
            return BackgroundPicture(
                picture: past[next].picture, shift: (Int(change.x.rounded()), Int(change.y.rounded())))
        }
    }
}

/// A connected region of moving pixels, with its moments.
struct Blob: Sendable {
    /// The number of pixels.
    var area = 0
    /// The sums of columns and rows, and of their squares and products.
    var x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0
    /// The sums for the centre, weighted by each pixel's difference.
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

    /// The weighted centre in pixels; the centre of the first pixel is (0, 0).
    var center: SIMD2<Double> { SIMD2(weightedX / weight, weightedY / weight) }

    /// The semi-axes of the ellipse with the same second moments.
    var semiAxes: (long: Double, short: Double) {
        let count = Double(area)
        let (mx, my) = (x / count, y / count)
        // A pixel's square adds a variance of 1/12.
        let (a, b, c) = (xx / count - mx * mx + 1 / 12, xy / count - mx * my, yy / count - my * my + 1 / 12)
        let (mean, half) = ((a + c) / 2, ((a - c) * (a - c) / 4 + b * b).squareRoot())
        return (2 * (mean + half).squareRoot(), 2 * max(mean - half, 1 / 12).squareRoot())
    }

    /// The unions of pairs that may be two sides of one object.
    ///
    /// A lit ball is brighter than a grey wall on one side, darker on the other, and the same grey in between.
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
                    one.area <= maximumAreaRatio * other.area, other.area <= maximumAreaRatio * one.area
                else { continue }
                var union = one
                union.add(other)
                unions.append(union)
            }
        }
        return unions
    }

    /// More blobs than this are noise or leaves and are not paired.
    private static let maximumPieces = 128
    /// The maximum ratio of the areas of an object's two sides.
    private static let maximumAreaRatio = 6
}

/// Converts blobs of a reduced stored picture to objects of the displayed picture.
struct ObjectMap {
    private let map: PixelMap
    private let factor: Double
    private let width: Double
    private let height: Double
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
        map = frame.withPlanes { $0.map }
        self.factor = Double(factor)
        (width, height) = (Double(frame.width), Double(frame.height))
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
        guard radius * factor <= Self.maximumRadius * min(width, height),
            axes.long <= (isUnion ? Self.maximumUnionElongation : Self.maximumElongation) * max(radius, 1),
            Double(blob.area) >= (isUnion ? Self.minimumUnionFill : Self.minimumFill) * Double.pi * axes.long
                * axes.short
        else { return nil }
        let center = blob.center
        // A tenth of the radius, since the outline is never complete, and a third of a pixel.
        let deviation = (0.01 * radius * radius + 0.1).squareRoot()
        return MovingObject(
            position: displayed(center), steadyPosition: displayed(center - shift), radius: radius * factor / width,
            deviation: deviation * factor / width,
            isolation: isolation(of: blob, radius: radius, in: recentMotion))
    }

    /// The displayed position of a reduced stored pixel, in picture widths with the origin at the lower left.
    private func displayed(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        // The pixel's centre in the stored frame.
        let x = (pixel.x + 0.5) * factor - 0.5 - Double(map.x0)
        let y = (pixel.y + 0.5) * factor - 0.5 - Double(map.y0)
        // The inverse of the map's rotation is its transpose.
        let column = Double(map.xx) * x + Double(map.yx) * y
        let row = Double(map.xy) * x + Double(map.yy) * y
        return SIMD2((column + 0.5) / width, (height - row - 0.5) / width)
    }

    /// The share of the blob's surroundings, within 1.5 radii, without recent motion.
    ///
    /// A flying object leaves a trail in a third of its surroundings. Around a limb, the body has moved everywhere.
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
