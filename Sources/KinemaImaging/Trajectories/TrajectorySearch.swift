package import Foundation
package import KinemaCore
package import KinemaMedia

/// The search for flights in one stream: detects moving objects and links them over time.
package struct TrajectorySearch: Sendable {
    package var spacing: TimeInterval = 0
    package var radii: ClosedRange<Double> = 0...1
    package var targetFrameTime = TimeInterval.infinity
    package var region = NormalizedRect.fullImage

    private let source: String
    private var detector = MovingObjectDetector()
    private var tracker: FlightTracker
    private var aspectRatio: Double
    private var lastTime: TimeInterval?
    private var clock = FrameClock()
    private var resolution = ResolutionController()

    package init(_ frame: VideoFrame) {
        source = frame.id.source
        aspectRatio = Double(frame.width) / Double(frame.height)
        tracker = FlightTracker(aspectRatio: aspectRatio)
    }

    package func continues(with frame: VideoFrame) -> Bool {
        frame.id.source == source && frame.time > (lastTime ?? -.infinity)
    }

    /// The flights detected in a frame; empty for a skipped frame.
    package mutating func flights(in frame: VideoFrame) -> [Flight] {
        // Time stamps are rounded, hence the tolerance of half a millisecond.
        if let lastTime, frame.time - lastTime < spacing - 0.0005 { return [] }
        lastTime = frame.time
        let started = ContinuousClock.now
        defer {
            let elapsed = (ContinuousClock.now - started) / .seconds(1)
            detector.maximumSide = resolution.side(
                after: elapsed, target: targetFrameTime, current: detector.maximumSide)
        }
        let detections = detector.update(frame)
        let newAspectRatio = Double(frame.width) / Double(frame.height)
        if detections.isNewScene || newAspectRatio != aspectRatio {
            aspectRatio = newAspectRatio
            tracker = FlightTracker(aspectRatio: aspectRatio)
        }
        guard let even = clock.evenTime(of: frame.time, isRepeated: detections.isRepeated) else { return [] }
        return tracker.append(detections.objects.filter(isIncluded), at: frame.time, evenTime: even)
    }

    private func isIncluded(_ object: MovingObject) -> Bool {
        guard radii.contains(object.radius) else { return false }
        return region == .fullImage
            || region.cgRect.contains(CGPoint(x: object.position.x, y: object.position.y * aspectRatio))
    }
}

/// Reduces the resolution of the search while frames take longer than their target time.
struct ResolutionController: Sendable {
    private var slowFrames = 0

    /// The longest side for the next frame: three quarters of the current one after three slow frames in a row.
    mutating func side(after seconds: TimeInterval, target: TimeInterval, current side: Int) -> Int {
        slowFrames = seconds > target ? slowFrames + 1 : 0
        guard slowFrames >= 3, side > Self.minimumSide else { return side }
        slowFrames = 0
        return max(Self.minimumSide, side * 3 / 4)
    }

    /// The minimum longest side in pixels, at which a ball is still a blob.
    private static let minimumSide = 240
}

/// The times at which frames were taken, at equal intervals. A conversion to a higher rate shows frames up to one
/// period late; a line through number and time of the last frames gives the capture times.
struct FrameClock: Sendable {
    private var times: [TimeInterval] = []
    private var lastRepetition = -TimeInterval.infinity

    /// The number of frames in the line, two seconds at 30 frames a second.
    private static let memory = 60
    /// Times less than this off the line are exact, in seconds, unless a frame was repeated recently.
    private static let exactness = 0.002
    /// The time for which a repetition makes times uncertain, in seconds.
    private static let uncertainty = 2.0

    /// The capture time of the next frame, by equal intervals: `shown` where that agrees; nil for a repetition.
    mutating func evenTime(of shown: TimeInterval, isRepeated: Bool) -> TimeInterval? {
        if isRepeated {
            lastRepetition = shown
            return nil
        }
        times = Array(times.suffix(Self.memory - 1)) + [shown]
        guard times.count >= 3 else { return shown }
        let count = Double(times.count)
        let (middle, mean) = ((count - 1) / 2, times.reduce(0, +) / count)
        var (products, squares) = (0.0, 0.0)
        for (index, time) in times.enumerated() {
            products += (Double(index) - middle) * (time - mean)
            squares += (Double(index) - middle) * (Double(index) - middle)
        }
        let even = mean + products / squares * (count - 1 - middle)
        let isExact = abs(even - shown) < Self.exactness && shown - lastRepetition > Self.uncertainty
        return isExact ? shown : even
    }
}
