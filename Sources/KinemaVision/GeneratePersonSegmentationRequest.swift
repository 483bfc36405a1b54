import KinemaPose
import Foundation
public import KinemaCore
public import KinemaMedia
import Synchronization

/// Finds the pixels of an image that show people.
///
/// It uses the landmark model's mask of each person, so a mask is as good as the pose and leaves out people without a
/// pose. Each frame is searched anew; as in Vision, the request remembers the time of the last search.
public final class GeneratePersonSegmentationRequest: StatefulRequest {
    /// How finely the mask is sampled. At every level the model runs once per person, on 256x256 pixels around them.
    public enum QualityLevel: UInt, Sendable, Hashable, CaseIterable, Codable {
        /// In the image's own size.
        case accurate
        /// At most 512 pixels along the longer side.
        case balanced
        /// At most 256 pixels along the longer side.
        case fast

        fileprivate var longestSide: Int {
            switch self {
            case .accurate: .max
            case .balanced: 512
            case .fast: 256
            }
        }
    }

    /// The revision in use.
    public let revision: FirstRevision
    /// The minimum time between analysed frames; frames that follow sooner give an empty mask.
    public let frameAnalysisSpacing: CMTime
    private let frames = Mutex(DueFrames())
    private let output = Mutex((quality: QualityLevel.accurate, format: kCVPixelFormatType_OneComponent8))

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .generatePersonSegmentationRequest(revision) }

    /// Creates a request; without a spacing every frame is analysed.
    public init(_ revision: FirstRevision? = nil, frameAnalysisSpacing: CMTime? = nil) {
        self.revision = revision ?? .revision1
        self.frameAnalysisSpacing = frameAnalysisSpacing ?? .zero
    }

    /// The part of the image to analyse, 0...1, origin at the lower left; the mask covers this part.
    public var regionOfInterest: NormalizedRect {
        get { frames.withLock { $0.region } }
        set { frames.withLock { $0.region = newValue } }
    }

    /// How finely the mask is sampled; `.accurate` by default.
    public var qualityLevel: QualityLevel {
        get { output.withLock { $0.quality } }
        set { output.withLock { $0.quality = newValue } }
    }

    /// One of the formats of grey pixels; the mask is the same in all of them.
    public var outputPixelFormatType: OSType {
        get { output.withLock { $0.format } }
        set { output.withLock { $0.format = newValue } }
    }

    /// The mask of a frame.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails, and
    /// `.unsupported` for a pixel format of colours.
    public func perform(on frame: VideoFrame) async throws -> PixelBufferObservation { try mask(of: frame) }

    package func mask(of frame: VideoFrame) throws -> PixelBufferObservation {
        let formats = [
            kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent16Half,
            kCVPixelFormatType_OneComponent32Float,
        ]
        guard formats.contains(outputPixelFormatType) else {
            throw KinemaError(.unsupported, "masks have one of the pixel formats kCVPixelFormatType_OneComponent…")
        }
        let isDue = frames.withLock { $0.take(frame, after: frameAnalysisSpacing) }
        let part = try frame.cropped(to: regionOfInterest)
        let share = min(1, Double(qualityLevel.longestSide) / Double(max(part.width, part.height)))
        let (width, height) = (
            max(1, Int((Double(part.width) * share).rounded())), max(1, Int((Double(part.height) * share).rounded()))
        )
        guard isDue else {
            return PixelBufferObservation(
                PersonMask(width: width, height: height), timeRange: frame.timeRange, from: descriptor)
        }
        var options = BodyPoseOptions()
        options.findsMasks = true
        var tracker = try BodyPoseTracker(options: options, mode: .picture)
        _ = try tracker.update(part)
        return PixelBufferObservation(
            tracker.mask(of: part, width: width, height: height), timeRange: frame.timeRange, from: descriptor)
    }
}
