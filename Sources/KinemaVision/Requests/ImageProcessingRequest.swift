public import KinemaCore
public import KinemaMedia

/// Vision's name for all requests.
public typealias VisionRequest = ImageProcessingRequest

/// A request for the analysis of an image, as in Vision's Swift API.
public protocol ImageProcessingRequest: Sendable, Hashable {
    /// The type of the request's result.
    associatedtype Result: Sendable
    /// The revisions of the request.
    associatedtype Revision: CaseIterable

    /// The revision in use.
    var revision: Revision { get }

    /// The kind and revision of the request.
    var descriptor: RequestDescriptor { get }

    /// The part of the image to analyse, 0...1, origin at the lower left.
    var regionOfInterest: NormalizedRect { get set }

    /// Performs the request on a frame; throws `.missingComponent` without the inference library or a model.
    func perform(on frame: VideoFrame) async throws -> Result
}

extension ImageProcessingRequest {
    /// The supported revisions.
    public static var supportedRevisions: [Revision] { Array(Revision.allCases) }
}

/// A request that keeps state between frames: create one per stream and pass it the frames in order.
public protocol StatefulRequest: ImageProcessingRequest {
    /// The minimum time between analysed frames; frames that follow sooner are skipped.
    var frameAnalysisSpacing: CMTime { get }

    /// The number of frames the request needs before its first result.
    var minimumLatencyFrameCount: Int { get }
}

extension StatefulRequest {
    /// One, for requests that analyse each frame by itself.
    public var minimumLatencyFrameCount: Int { 1 }
}

/// The frames, and the part of them, that a request analyses if it is independent of earlier frames.
struct DueFrames: Sendable {
    var region = NormalizedRect.fullImage
    private var last: (source: String, time: Double)?

    /// Accepts a frame for analysis; false if it follows too soon after one of the same stream.
    mutating func take(_ frame: VideoFrame, after spacing: CMTime) -> Bool {
        // The tolerance keeps rounding from skipping a frame at exactly the spacing.
        if !frame.isPicture, let last, last.source == frame.id.source, frame.time >= last.time,
            frame.time - last.time < spacing.seconds - 1e-6
        {
            return false
        }
        last = (frame.id.source, frame.time)
        return true
    }
}

extension StatefulRequest where Self: AnyObject {
    /// Whether both are the same request instance.
    public static func == (one: Self, other: Self) -> Bool { one === other }

    /// Hashes the request's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
