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
