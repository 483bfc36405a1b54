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
        /// Whether the frame is the previous one once more, as in recordings converted to a higher frame rate.
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
