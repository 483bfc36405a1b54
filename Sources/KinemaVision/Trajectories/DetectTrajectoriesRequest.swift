public import Foundation
public import KinemaCore
public import KinemaMedia
import Synchronization

/// Finds small things that fly through the picture on parabolas, among whatever else moves.
///
/// Make one for a stream and give it the frames in order. A frame of another source, or one that goes back in time,
/// starts anew. The camera should rest; the tremble of a hand, and a slow turn, are followed.
public final class DetectTrajectoriesRequest: StatefulRequest {
    /// The generations of the request.
    public enum Revision: String, Sendable, Hashable, CaseIterable, Codable {
        /// The only one there is.
        case revision1
    }

    /// What can be set between frames.
    private struct Settings {
        var minimumRadius: CGFloat = 0
        var maximumRadius: CGFloat = 1
        var targetFrameTime = TimeInterval.infinity
        var regionOfInterest = NormalizedRect.fullImage
    }

    /// The generation in use.
    public let revision: Revision
    /// The most points of an observation, 5 or more.
    public let trajectoryLength: Int
    /// Frames that follow the last analysed one by less are passed over, seconds by their own time stamps.
    public let frameAnalysisSpacing: TimeInterval

    private let settings = Mutex(Settings())
    private let search = Mutex<TrajectorySearch?>(nil)

    /// The generations that are supported.
    public static var supportedRevisions: [Revision] { Revision.allCases }

    /// Makes a request whose observations have up to `trajectoryLength` points, 5 or more; `frameAnalysisSpacing` is in
    /// seconds, nil for every frame.
    public init(trajectoryLength: Int, _ revision: Revision? = nil, frameAnalysisSpacing: TimeInterval? = nil) {
        self.trajectoryLength = trajectoryLength
        self.revision = revision ?? .revision1
        self.frameAnalysisSpacing = frameAnalysisSpacing ?? 0
    }

    /// Things of a smaller radius are passed over; in picture widths, 0 unless told otherwise.
    public var objectMinimumNormalizedRadius: CGFloat {
        get { settings.withLock { $0.minimumRadius } }
        set { settings.withLock { $0.minimumRadius = newValue } }
    }

    /// Things of a larger radius are passed over; in picture widths, 1 unless told otherwise.
    public var objectMaximumNormalizedRadius: CGFloat {
        get { settings.withLock { $0.maximumRadius } }
        set { settings.withLock { $0.maximumRadius = newValue } }
    }

    /// How long a frame may take, seconds; when it takes longer the next ones are looked at more coarsely. Infinite
    /// unless told otherwise, for the best accuracy.
    public var targetFrameTime: TimeInterval {
        get { settings.withLock { $0.targetFrameTime } }
        set { settings.withLock { $0.targetFrameTime = newValue } }
    }

    /// Only what moves in this part of the picture is looked at.
    public var regionOfInterest: NormalizedRect {
        get { settings.withLock { $0.regionOfInterest } }
        set { settings.withLock { $0.regionOfInterest = newValue } }
    }

    /// A flight is told from its fifth point on.
    public var minimumLatencyFrameCount: Int { FlightTracker.minimumPoints }

    /// The flights seen in this frame, the surest first.
    ///
    /// Throws `.invalidArgument` when the request's length is less than 5.
    public func perform(on frame: VideoFrame) async throws -> [TrajectoryObservation] {
        try Task.checkCancellation()
        guard trajectoryLength >= FlightTracker.minimumPoints else {
            throw KinemaError(.invalidArgument, "a trajectory has 5 points or more; make the request with 5 at least")
        }
        return flights(in: frame).map {
            $0.observation(length: trajectoryLength, aspectRatio: Double(frame.width) / Double(frame.height))
        }
    }

    /// The same with every point of each flight, without a task.
    package func flights(in frame: VideoFrame) -> [Flight] {
        let settings = settings.withLock { $0 }
        return search.withLock { search in
            var current = search?.continues(with: frame) == true ? search : nil
            // Taken out while it works, so that its pictures are not copied.
            search = nil
            var next = current.take() ?? TrajectorySearch(frame)
            defer { search = next }
            next.spacing = frameAnalysisSpacing
            next.radii = Double(settings.minimumRadius)...Double(max(settings.minimumRadius, settings.maximumRadius))
            next.targetFrameTime = settings.targetFrameTime
            next.region = settings.regionOfInterest
            return next.flights(in: frame)
        }
    }

    /// Two requests are equal when they are the same request.
    public static func == (one: DetectTrajectoriesRequest, other: DetectTrajectoriesRequest) -> Bool { one === other }

    /// Hashes which request it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

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
