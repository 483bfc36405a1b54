public import KinemaCore
public import KinemaMedia

/// Detects the rectangles around all people in an image.
public struct DetectHumanRectanglesRequest: ImageProcessingRequest {
    /// The revision in use.
    public let revision: SecondRevision
    /// The part of the image to analyse, 0...1, origin at the lower left; rectangles are relative to it.
    public var regionOfInterest = NormalizedRect.fullImage
    /// Whether rectangles end at the hips; true by default.
    public var upperBodyOnly = true

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .detectHumanRectanglesRequest(revision) }

    /// Creates a request.
    public init(_ revision: SecondRevision? = nil) { self.revision = revision ?? .revision2 }

    /// The people in a frame, highest confidence first.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails.
    public func perform(on frame: VideoFrame) async throws -> [HumanObservation] { try people(in: frame) }

    package func people(in frame: VideoFrame) throws -> [HumanObservation] {
        let part = try frame.cropped(to: regionOfInterest)
        return try BodyPoseTracker.poses(in: part, options: BodyPoseOptions()).compactMap { pose in
            HumanObservation(
                pose, aspectRatio: Double(part.width) / Double(part.height), isUpperBodyOnly: upperBodyOnly,
                timeRange: frame.timeRange, from: descriptor)
        }
    }
}
