import Foundation
public import KinemaCore
public import KinemaMedia

/// Finds the outlines of dark or light areas in a picture.
public struct DetectContoursRequest: ImageProcessingRequest {
    /// The generations of the request.
    public enum Revision: String, Sendable, Hashable, CaseIterable, Codable {
        /// The only one there is.
        case revision1
    }

    /// The generation in use.
    public let revision: Revision
    /// The part of the picture that is searched: 0...1, origin at the lower left; the outlines count from it.
    public var regionOfInterest = NormalizedRect.fullImage
    /// How much brightness is spread around the pivot before dark is told from light at one half: 0...3, 2 by default.
    public var contrastAdjustment: Float = 2
    /// The brightness that the adjustment leaves as it is, 0...1, 0.5 by default; nil finds the best split by itself.
    public var contrastPivot: Float? = 0.5
    /// Whether outlines are drawn around what is dark, not around what is light.
    public var detectsDarkOnLight = true
    /// The longer side of the picture that is searched, in pixels, at least 64, 512 by default; larger ones are shrunk.
    public var maximumImageDimension = 512

    /// The generations that are supported.
    public static var supportedRevisions: [Revision] { Revision.allCases }

    /// Makes a request.
    public init(_ revision: Revision? = nil) {
        self.revision = revision ?? .revision1
    }

    /// The outlines in a frame, with their nesting.
    public func perform(on frame: VideoFrame) async throws -> ContoursObservation {
        try Task.checkCancellation()
        let raster = raster(of: frame)
        let tree = ContourTree(
            BorderFollower.borders(of: raster), width: raster.width, height: raster.height)
        return ContoursObservation(tree, timeRange: frame.isPicture ? nil : frame.id.rangeInSeconds)
    }

    /// The picture of two values that is searched.
    func raster(of frame: VideoFrame) -> BinaryRaster {
        let picture = GrayPicture(
            frame, in: regionOfInterest, maximumDimension: max(64, maximumImageDimension))
        return BinaryRaster(
            picture,
            isForeground: BrightnessSplit(
                of: picture, contrast: contrastAdjustment, pivot: contrastPivot, takesDark: detectsDarkOnLight))
    }
}
