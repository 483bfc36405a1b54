import Foundation
public import KinemaCore
public import KinemaMedia

/// Detects the rectangles around all faces in an image.
public struct DetectFaceRectanglesRequest: ImageProcessingRequest {
    /// The revision in use.
    public let revision: ThirdRevision
    /// The part of the image to analyse, 0...1, origin at the lower left; rectangles are relative to it.
    public var regionOfInterest = NormalizedRect.fullImage

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .detectFaceRectanglesRequest(revision) }

    /// Creates a request.
    public init(_ revision: ThirdRevision? = nil) { self.revision = revision ?? .revision3 }

    /// The faces in a frame, highest confidence first.
    ///
    /// Throws `.missingComponent` without the inference library or the model, `.analysisFailed` when inference fails.
    public func perform(on frame: VideoFrame) async throws -> [FaceObservation] { try faces(in: frame) }

    package func faces(in frame: VideoFrame) throws -> [FaceObservation] {
        let part = try frame.cropped(to: regionOfInterest)
        return try AnchorDetector.faces(store: .shared, precision: .automatic).detect(in: part).compactMap { face in
            let box = face.box / SIMD4(lowHalf: part.size, highHalf: part.size)
            return FaceObservation(
                NormalizedRect(x: box.x, y: 1 - box.w, width: box.z - box.x, height: box.w - box.y),
                confidence: face.score, timeRange: frame.timeRange, from: descriptor)
        }
    }
}
