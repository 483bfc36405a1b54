import KinemaCore
import KinemaMedia
public import KinemaVision

/// The code of a pixel format.
public typealias OSType = UInt32

/// One byte a pixel.
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038

/// An image that an analysis produced.
public final class VNPixelBufferObservation: VNObservation {
    /// The image: grey, bright where a person is.
    public let pixelBuffer: CVPixelBuffer
    /// Always nil: the image is the request's only one.
    public let featureName: String? = nil

    init(_ observation: PixelBufferObservation) {
        pixelBuffer = VideoFrame(
            bitmap: observation.cgImage, id: TemporalSegmentIdentifier(source: "mask", range: 0..<1, timescale: 1))
        super.init(uuid: observation.uuid, confidence: observation.confidence, timeRange: observation.timeRange)
    }
}

/// Finds the pixels of an image that show people.
public final class VNGeneratePersonSegmentationRequest: VNStatefulRequest {
    /// How finely the mask is sampled.
    public typealias QualityLevel = GeneratePersonSegmentationRequest.QualityLevel

    /// How finely the mask is sampled; `.accurate` by default.
    public var qualityLevel = QualityLevel.accurate
    /// The pixel format of the mask: one byte a pixel, which is the only one.
    public var outputPixelFormat: OSType = kCVPixelFormatType_OneComponent8

    /// Creates a request that analyses every frame.
    public init(completionHandler: VNRequestCompletionHandler? = nil) {
        super.init(frameAnalysisSpacing: .zero, completionHandler: completionHandler)
    }

    /// The mask of the last performance.
    public var results: [VNPixelBufferObservation]? { observations as? [VNPixelBufferObservation] }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        guard outputPixelFormat == kCVPixelFormatType_OneComponent8 else {
            throw VNError(.unsupportedRequest, "masks have the pixel format kCVPixelFormatType_OneComponent8 only")
        }
        let request = GeneratePersonSegmentationRequest()
        request.qualityLevel = qualityLevel
        request.regionOfInterest = try region()
        return [VNPixelBufferObservation(try request.mask(of: frame))]
    }
}
