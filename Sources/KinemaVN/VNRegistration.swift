public import KinemaVision
public import Foundation
public import KinemaCore
public import KinemaMedia
public import KinemaPorting

/// The base of observations that align two images.
public class VNImageAlignmentObservation: VNObservation {}

/// How far an image's content has moved.
public final class VNImageTranslationAlignmentObservation: VNImageAlignmentObservation {
    /// The translation in pixels, to the right and upwards.
    public let alignmentTransform: CGAffineTransform

    init(_ observation: ImageTranslationAlignmentObservation) {
        alignmentTransform = observation.alignmentTransform
        super.init(observation)
    }
}

/// A request that compares the handler's image with a target.
public class VNTargetedImageRequest: VNImageBasedRequest {
    private let image: ImageRequestHandler

    // Not private: optimised, Swift 6.3.1 then makes an instance of this class where the subclass inherits the initialiser.
    init(_ completionHandler: VNRequestCompletionHandler?, _ image: ImageRequestHandler) {
        self.image = image
        super.init(completionHandler: completionHandler)
    }

    /// Compares with a frame.
    public convenience init(
        targetedCMSampleBuffer buffer: CMSampleBuffer, orientation: CGImagePropertyOrientation = .up,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(completionHandler, ImageRequestHandler(buffer, orientation: orientation))
    }

    /// Compares with a decoded picture.
    public convenience init(
        targetedCVPixelBuffer buffer: CVPixelBuffer, orientation: CGImagePropertyOrientation = .up,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(completionHandler, ImageRequestHandler(buffer, orientation: orientation))
    }

    /// Compares with a decoded picture.
    public convenience init(
        targetedCIImage image: CIImage, orientation: CGImagePropertyOrientation = .up,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(completionHandler, ImageRequestHandler(image, orientation: orientation))
    }

    /// Compares with a picture in memory.
    public convenience init(
        targetedCGImage image: CGImage, orientation: CGImagePropertyOrientation = .up,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(completionHandler, ImageRequestHandler(image, orientation: orientation))
    }

    /// Compares with an image in a file.
    public convenience init(
        targetedImageURL url: URL, orientation: CGImagePropertyOrientation? = nil,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(completionHandler, ImageRequestHandler(url, orientation: orientation))
    }

    /// Compares with an image file's bytes.
    public convenience init(
        targetedImageData data: Data, orientation: CGImagePropertyOrientation? = nil,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(completionHandler, ImageRequestHandler(data, orientation: orientation))
    }

    func target() throws -> VideoFrame { try image.decode() }
}

/// A request that aligns the handler's image with a target.
public class VNImageRegistrationRequest: VNTargetedImageRequest {}

/// Measures the translation that aligns the target with the handler's image.
public final class VNTranslationalImageRegistrationRequest: VNImageRegistrationRequest {
    /// The one observation of the last performance; empty if the images differ in size or show nothing in common.
    public var results: [VNImageTranslationAlignmentObservation]? {
        observations as? [VNImageTranslationAlignmentObservation]
    }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        let request = TrackTranslationalImageRegistrationRequest()
        request.regionOfInterest = try region()
        // Without times of their own the two are taken in this order, whichever came first; the first has no translation.
        return try [target(), frame].compactMap { try request.translation(in: VideoFrame($0, id: .inMemory)) }
            .map(VNImageTranslationAlignmentObservation.init)
    }
}

/// How an image's content has moved, turned and grown.
public final class VNImageHomographicAlignmentObservation: VNImageAlignmentObservation {
    /// The transform of pixels, origin at the lower left, from the target to the handler's image.
    public let warpTransform: simd_float3x3

    init(_ motion: SimilarityTransform, height: Int) {
        let (linear, shift) = (SIMD2<Float>(motion.linear), SIMD2<Float>(motion.shift * Double(height)))
        warpTransform = simd_float3x3(
            SIMD3(linear.x, linear.y, 0), SIMD3(-linear.y, linear.x, 0), SIMD3(shift.x, shift.y, 1))
        super.init(confidence: 1)
    }
}

/// Measures how the target moves, turns and grows to become the handler's image; perspective is not measured.
public final class VNHomographicImageRegistrationRequest: VNImageRegistrationRequest {
    /// The one observation of the last performance; empty if the images differ in size or show nothing in common.
    public var results: [VNImageHomographicAlignmentObservation]? {
        observations as? [VNImageHomographicAlignmentObservation]
    }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        guard try region() == .fullImage else {
            throw VNError(
                .unsupportedRequest, "a homography is measured of whole images; leave regionOfInterest as it is")
        }
        let target = try target()
        guard target.width == frame.width, target.height == frame.height else { return [] }
        var tracker = BackgroundTracker()
        let frames = [target, frame].enumerated().map { index, frame in
            VideoFrame(frame, id: TemporalSegmentIdentifier(source: "memory", range: index..<index + 1, timescale: 1))
        }
        _ = tracker.update(frames[0], people: [])
        return tracker.update(frames[1], people: []).map {
            [VNImageHomographicAlignmentObservation($0, height: frame.height)]
        } ?? []
    }
}

/// Measures the translation of a stream's content; create one per stream and perform it on the frames in order.
public final class VNTrackTranslationalImageRegistrationRequest: VNStatefulRequest {
    private let request: TrackTranslationalImageRegistrationRequest

    /// Creates a request; without a spacing every frame is analysed.
    public override init(frameAnalysisSpacing: CMTime = .zero, completionHandler: VNRequestCompletionHandler? = nil) {
        request = TrackTranslationalImageRegistrationRequest(frameAnalysisSpacing: frameAnalysisSpacing)
        super.init(frameAnalysisSpacing: frameAnalysisSpacing, completionHandler: completionHandler)
    }

    /// The number of frames before the first observation.
    public override var minimumLatencyFrameCount: Int { request.minimumLatencyFrameCount }

    /// The translation since the last analysed frame; empty for the first frame and for skipped frames.
    public var results: [VNImageTranslationAlignmentObservation]? {
        observations as? [VNImageTranslationAlignmentObservation]
    }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        request.regionOfInterest = try region()
        return try [request.translation(in: frame)].compactMap(\.self).map(VNImageTranslationAlignmentObservation.init)
    }
}
