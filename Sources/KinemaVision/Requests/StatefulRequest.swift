public import KinemaCore

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

extension StatefulRequest where Self: AnyObject {
    /// Whether both are the same request instance.
    public static func == (one: Self, other: Self) -> Bool { one === other }

    /// Hashes the request's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
