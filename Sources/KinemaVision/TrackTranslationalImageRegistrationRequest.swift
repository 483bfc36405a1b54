import KinemaPose
import KinemaSampling
import KinemaImaging
public import Foundation
public import KinemaCore
public import KinemaMedia
import Synchronization

/// The translation of a frame's content since the previous frame, with Vision's names.
public struct ImageTranslationAlignmentObservation: VisionObservation {
    /// The unique identifier of the observation.
    public let uuid: UUID
    /// The confidence, 0...1: near 1 for the same scene, near 0 after a cut, for a blank image or for stripes.
    public let confidence: Float
    /// The time that the frame covers, from the stream's first frame; nil for a single image.
    public let timeRange: CMTimeRange?
    /// The request that made the observation.
    public let originatingRequestDescriptor: RequestDescriptor?
    /// The transform from the previous frame to this one: a translation by `tx` pixels to the right and `ty` upwards.
    public let alignmentTransform: CGAffineTransform

    init(
        alignmentTransform: CGAffineTransform, confidence: Float, timeRange: CMTimeRange?,
        from request: RequestDescriptor
    ) {
        uuid = UUID()
        (self.alignmentTransform, self.confidence, self.timeRange) = (alignmentTransform, confidence, timeRange)
        originatingRequestDescriptor = request
    }
}

/// Measures the translation of a stream's content from frame to frame.
///
/// Create one request per stream and pass it the frames in order; another source, size or region restarts it.
public final class TrackTranslationalImageRegistrationRequest: StatefulRequest {
    private struct State: Sendable {
        var region = NormalizedRect.fullImage
        var tracker = TranslationTracker()
        var last: (source: String, time: TimeInterval, width: Int, height: Int)?
    }

    /// The revision in use.
    public let revision: FirstRevision
    /// The minimum time between analysed frames; frames that follow sooner are skipped.
    public let frameAnalysisSpacing: CMTime
    private let state = Mutex(State())

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .trackTranslationalImageRegistrationRequest(revision) }

    /// Creates a request; without a spacing every frame is analysed.
    public init(_ revision: FirstRevision? = nil, frameAnalysisSpacing: CMTime? = nil) {
        self.revision = revision ?? .revision1
        self.frameAnalysisSpacing = max(.zero, frameAnalysisSpacing ?? .zero)
    }

    /// The number of frames the request needs: a translation needs two.
    public var minimumLatencyFrameCount: Int { 2 }

    /// The part of the image to track, 0...1, origin at the lower left; changing it restarts the request.
    public var regionOfInterest: NormalizedRect {
        get { state.withLock { $0.region } }
        set {
            state.withLock { state in
                guard newValue != state.region else { return }
                state.region = newValue
                state.last = nil
            }
        }
    }

    /// The translation since the last analysed frame; nil for the first frame and for skipped frames.
    public func perform(on frame: VideoFrame) async throws -> ImageTranslationAlignmentObservation? {
        try translation(in: frame)
    }

    package func translation(in frame: VideoFrame) throws -> ImageTranslationAlignmentObservation? {
        try Task.checkCancellation()
        return state.withLock { state in observation(of: frame, &state) }
    }

    private func observation(of frame: VideoFrame, _ state: inout State) -> ImageTranslationAlignmentObservation? {
        // Single pictures all have the same time and are taken in order.
        if let last = state.last, last.source == frame.id.source, last.width == frame.width,
            last.height == frame.height, frame.isPicture || frame.time > last.time
        {
            // The tolerance keeps rounding from skipping a frame at exactly the spacing.
            if !frame.isPicture, frame.time - last.time < frameAnalysisSpacing.seconds - 1e-6 { return nil }
        } else {
            state.tracker.restart()
        }
        state.last = (frame.id.source, frame.time, frame.width, frame.height)
        let picture = GrayPicture(frame, in: state.region, maximumDimension: Self.maximumDimension)
        guard let movement = state.tracker.update(picture) else { return nil }
        let part = PixelRect(state.region, width: frame.width, height: frame.height)
        return ImageTranslationAlignmentObservation(
            alignmentTransform: CGAffineTransform(
                translationX: movement.shift.x * Double(part.width) / Double(picture.width),
                y: -movement.shift.y * Double(part.height) / Double(picture.height)),
            confidence: Float(movement.confidence),
            timeRange: frame.timeRange, from: descriptor)
    }

    /// The longer side to which pictures are scaled down, in pixels; at 1080p the error is 0.01 pixel.
    private static let maximumDimension = 640
}
