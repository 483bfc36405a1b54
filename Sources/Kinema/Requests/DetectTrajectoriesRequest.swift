public import Foundation
public import KinemaCore
public import KinemaMedia
import KinemaMotion
public import KinemaVision
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
