public import KinemaCore
public import KinemaMedia

/// Detects the rectangles around all people in an image.
public struct DetectHumanRectanglesRequest: ImageProcessingRequest {
    /// The revisions of the request.
    public enum Revision: String, Sendable, Hashable, CaseIterable, Codable {
        /// The current revision.
        case revision2
    }

    /// The revision in use.
    public let revision: Revision
    /// The part of the image to analyse, 0...1, origin at the lower left; rectangles are relative to it.
    public var regionOfInterest = NormalizedRect.fullImage
    /// Whether rectangles end at the hips; true by default.
    public var upperBodyOnly = true

    /// The supported revisions.
    public static var supportedRevisions: [Revision] { Revision.allCases }

    /// Creates a request.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }

    /// The people in a frame, highest confidence first.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails.
    public func perform(on frame: VideoFrame) async throws -> [HumanObservation] { try people(in: frame) }

    package func people(in frame: VideoFrame) throws -> [HumanObservation] {
        let part = try frame.cropped(to: regionOfInterest)
        return try BodyPoseTracker.poses(in: part, options: BodyPoseOptions()).compactMap { pose in
            HumanObservation(
                pose, aspectRatio: Double(part.width) / Double(part.height), isUpperBodyOnly: upperBodyOnly,
                timeRange: frame.timeRange)
        }
    }
}
