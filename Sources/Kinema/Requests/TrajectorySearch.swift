import Foundation
import KinemaCore
import KinemaMedia
import KinemaMotion
import KinemaVision

/// The search for flights in one stream: what moves in each frame, linked over time.
struct TrajectorySearch: Sendable {
    var spacing: TimeInterval = 0
    var radii: ClosedRange<Double> = 0...1
    var targetFrameTime = TimeInterval.infinity
    var region = NormalizedRect.fullImage

    private let source: String
    private var detector = MovingObjectDetector()
    private var tracker: FlightTracker
    private var shape: Double
    private var lastTime: TimeInterval?
    private var pace = FramePace()

    init(_ frame: VideoFrame) {
        source = frame.id.source
        shape = Double(frame.width) / Double(frame.height)
        tracker = FlightTracker(aspectRatio: shape)
    }

    /// Whether a frame belongs to the stream and comes after the last one.
    func continues(with frame: VideoFrame) -> Bool {
        frame.id.source == source && frame.time > (lastTime ?? -.infinity)
    }

    /// The flights seen in a frame; none in one that is passed over.
    mutating func flights(in frame: VideoFrame) -> [Flight] {
        // Half a millisecond of grace: time stamps are rounded.
        if let lastTime, frame.time - lastTime < spacing - 0.0005 { return [] }
        lastTime = frame.time
        let started = ContinuousClock.now
        defer {
            detector.maximumSide = pace.side(
                after: (ContinuousClock.now - started) / .seconds(1), target: targetFrameTime, now: detector.maximumSide
            )
        }
        let sight = detector.update(frame)
        let newShape = Double(frame.width) / Double(frame.height)
        if sight.isNewScene || newShape != shape {
            shape = newShape
            tracker = FlightTracker(aspectRatio: shape)
        }
        return tracker.append(sight.objects.filter(isWanted), at: frame.time)
    }

    private func isWanted(_ object: MovingObject) -> Bool {
        guard radii.contains(object.radius) else { return false }
        return region == .fullImage
            || region.cgRect.contains(CGPoint(x: object.position.x, y: object.position.y * shape))
    }
}

/// Chooses how finely frames are looked at, so that one takes no longer than it may.
struct FramePace: Sendable {
    private var slow = 0

    /// The longest side to look at next: three quarters of this one after three frames in a row that took too long.
    mutating func side(after seconds: TimeInterval, target: TimeInterval, now side: Int) -> Int {
        slow = seconds > target ? slow + 1 : 0
        guard slow >= 3, side > Self.coarsest else { return side }
        slow = 0
        return max(Self.coarsest, side * 3 / 4)
    }

    /// Below that a ball is no longer a patch.
    private static let coarsest = 240
}
