import Foundation
package import KinemaCore
package import KinemaMedia

/// Detects small moving objects, frame by frame: compact regions that differ from five frames of the last half second,
/// shifted by the camera's motion.
package struct MovingObjectDetector: Sendable {
    package struct Detections: Sendable {
        package var objects: [MovingObject] = []
        /// Whether the frame shows another scene than the previous one, which ends all flights.
        package var isNewScene = false
        /// Whether the frame repeats the previous one, as in recordings converted to a higher frame rate.
        package var isRepeated = false
    }

    private struct Past: Sendable {
        let time: TimeInterval
        let picture: ReducedFrame
        /// The camera's shift since the first frame, in reduced pixels.
        let shift: SIMD2<Double>
    }

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

    package init() {}

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
    private func background(at time: TimeInterval) -> [Background<ReducedFrame>]? {
        guard past.count >= 3, let first = past.first, time - first.time >= Self.minimumMemory else { return nil }
        let span = min(Self.memory, time - first.time)
        var next = past.count - 1
        return (1...5).map { step in
            let wanted = time - span * Double(step) / 5
            while next > 0, past[next].time > wanted + 1e-6 { next -= 1 }
            let change = shift - past[next].shift
            return Background(
                picture: past[next].picture, shift: (Int(change.x.rounded()), Int(change.y.rounded())))
        }
    }
}

/// Finds frames that repeat the previous one. Converting a recording to a higher frame rate repeats every fourth or
/// fifth frame, and an object in flight would seem to stop there.
struct RepeatedFrameFinder: Sendable {
    private var last: PlanePicture?
    private var lastTime = -TimeInterval.infinity
    /// The mean differences of the last frames from those before them, without repetitions.
    private var differences: [Double] = []

    /// The largest difference of a repeated pixel in levels of 255: in pictures with a sixteenth of the pixels,
    /// encoding changes them by 3 to 7 and the smallest movements by 40 or more.
    private static let largestDifference = 8
    /// The largest mean difference of a repeated frame, as a share of that of other frames.
    private static let largestShare = 0.5
    /// The longest time without a frame that differs, in seconds; a still scene does not count as repeated.
    private static let longestRepetition = 0.07
    /// The number of frames that a repeated one is compared with.
    private static let memory = 8

    /// Adds the next frame, strongly reduced; returns whether it repeats the previous one.
    mutating func repeats(_ picture: PlanePicture, at time: TimeInterval) -> Bool {
        defer { last = picture }
        guard let last, last.width == picture.width, last.height == picture.height else {
            (differences, lastTime) = ([], time)
            return false
        }
        let difference = picture.difference(from: last)
        if difference.largest <= Self.largestDifference, time - lastTime < Self.longestRepetition,
            let typical = differences.quantile(0.5), difference.mean < Self.largestShare * typical
        {
            return true
        }
        lastTime = time
        differences = Array(differences.suffix(Self.memory - 1)) + [difference.mean]
        return false
    }
}

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
