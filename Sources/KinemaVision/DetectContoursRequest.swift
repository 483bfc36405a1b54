import KinemaPose
public import KinemaCore
public import KinemaImaging
public import KinemaMedia
import KinemaSampling

/// Detects the contours of dark or light areas in an image.
public struct DetectContoursRequest: ImageProcessingRequest {
    /// The revision in use.
    public let revision: FirstRevision
    /// The part of the image to analyse, 0...1, origin at the lower left; contours are relative to it.
    public var regionOfInterest = NormalizedRect.fullImage
    /// The contrast factor around the pivot, applied before thresholding at 0.5: 0...3, 2 by default.
    public var contrastAdjustment: Float = 2
    /// The brightness that the contrast adjustment keeps, 0...1, 0.5 by default; nil chooses the threshold.
    public var contrastPivot: Float? = 0.5
    /// Whether to detect dark areas on a light background rather than light areas on a dark one.
    public var detectsDarkOnLight = true
    /// The longer side of the analysed image in pixels, at least 64, 512 by default; larger images are scaled down.
    public var maximumImageDimension = 512

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .detectContoursRequest(revision) }

    /// Creates a request.
    public init(_ revision: FirstRevision? = nil) { self.revision = revision ?? .revision1 }

    /// The contours in a frame, with their nesting.
    public func perform(on frame: VideoFrame) async throws -> ContoursObservation { try contours(in: frame) }

    package func contours(in frame: VideoFrame) throws -> ContoursObservation {
        try Task.checkCancellation()
        return ContoursObservation(raster(of: frame), timeRange: frame.timeRange, from: descriptor)
    }

    package func raster(of frame: VideoFrame) -> BinaryRaster {
        let picture = GrayPicture(frame, in: regionOfInterest, maximumDimension: max(64, maximumImageDimension))
        return BinaryRaster(
            picture,
            threshold: BinaryThreshold(
                for: picture, contrast: contrastAdjustment, pivot: contrastPivot, selectsDark: detectsDarkOnLight))
    }
}
