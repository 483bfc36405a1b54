import KinemaCore
import KinemaMedia
public import KinemaVision

/// An image that an analysis produced.
public final class VNPixelBufferObservation: VNObservation {
    /// The image: grey, bright where a person is.
    public let pixelBuffer: CVPixelBuffer
    /// Always nil: the image is the request's only one.
    public let featureName: String? = nil

    init(_ observation: PixelBufferObservation) {
        pixelBuffer = VideoFrame(
            bitmap: observation.picture, id: TemporalSegmentIdentifier(source: "mask", range: 0..<1, timescale: 1))
        super.init(observation)
    }
}

/// Finds the pixels of an image that show people.
public final class VNGeneratePersonSegmentationRequest: VNStatefulRequest {
    /// How finely the mask is sampled.
    public typealias QualityLevel = GeneratePersonSegmentationRequest.QualityLevel

    /// How finely the mask is sampled; `.accurate` by default.
    public var qualityLevel = QualityLevel.accurate
    /// One of the formats of grey pixels; the mask is the same picture in all of them.
    public var outputPixelFormat: OSType = kCVPixelFormatType_OneComponent8

    /// Creates a request that analyses every frame.
    public init(completionHandler: VNRequestCompletionHandler? = nil) {
        super.init(frameAnalysisSpacing: .zero, completionHandler: completionHandler)
    }

    /// The mask of the last performance.
    public var results: [VNPixelBufferObservation]? { observations as? [VNPixelBufferObservation] }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        let request = GeneratePersonSegmentationRequest()
        request.qualityLevel = qualityLevel
        request.outputPixelFormatType = outputPixelFormat
        request.regionOfInterest = try region()
        return [VNPixelBufferObservation(try request.mask(of: frame))]
    }
}
