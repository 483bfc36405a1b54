public import Foundation
public import KinemaCore
public import KinemaMedia
import Synchronization

/// Measures how far a stream's picture moves from frame to frame: make one for a stream and give it the frames in order.
///
/// Another source, a step back in time, another size and another region of interest start it anew.
public final class TrackTranslationalImageRegistrationRequest: StatefulRequest {
    /// The generations of the request.
    public enum Revision: String, Sendable, Hashable, CaseIterable, Codable {
        /// The only one there is.
        case revision1
    }

    /// What is remembered from frame to frame.
    private struct State: Sendable {
        var region = NormalizedRect.fullImage
        var tracker = TranslationTracker()
        var last: (source: String, time: TimeInterval, width: Int, height: Int)?
    }

    /// The generation in use.
    public let revision: Revision
    /// Frames that follow the last analysed one by less are passed over, seconds by their own time stamps.
    public let frameAnalysisSpacing: TimeInterval
    private let state = Mutex(State())

    /// The generations that are supported.
    public static var supportedRevisions: [Revision] { Revision.allCases }

    /// Makes a request; without a spacing every frame is analysed.
    public init(_ revision: Revision? = nil, frameAnalysisSpacing: TimeInterval? = nil) {
        self.revision = revision ?? .revision1
        self.frameAnalysisSpacing = max(0, frameAnalysisSpacing ?? 0)
    }

    /// Two: a movement is one from a frame to another.
    public var minimumLatencyFrameCount: Int { 2 }

    /// The part of the picture that is followed: 0...1, origin at the lower left; changing it starts anew.
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

    /// The movement since the last analysed frame; nil for the first frame and for those that are passed over.
    public func perform(on frame: VideoFrame) async throws -> ImageTranslationAlignmentObservation? {
        try Task.checkCancellation()
        return state.withLock { state in observation(of: frame, &state) }
    }

    private func observation(of frame: VideoFrame, _ state: inout State) -> ImageTranslationAlignmentObservation? {
        // Pictures by themselves all have the same time; each follows the one before.
        if let last = state.last, last.source == frame.id.source, last.width == frame.width,
            last.height == frame.height, frame.isPicture || frame.time > last.time
        {
            // A spacing of exactly a frame must not be missed by rounding.
            if !frame.isPicture, frame.time - last.time < frameAnalysisSpacing - 1e-6 { return nil }
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
            timeRange: frame.isPicture ? nil : frame.id.rangeInSeconds)
    }

    /// Larger pictures are shrunk to this: at 1080p that leaves a hundredth of a pixel of error, and a third of the time.
    private static let maximumDimension = 640

    /// Two requests are equal when they are the same.
    public static func == (
        one: TrackTranslationalImageRegistrationRequest, other: TrackTranslationalImageRegistrationRequest
    ) -> Bool { one === other }

    /// Hashes the request's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
