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

/// How far what a frame shows has moved since the frame before, with the names of Vision.
public struct ImageTranslationAlignmentObservation: Hashable, Sendable {
    /// A number of this observation's own.
    public let uuid: UUID
    /// How sure the movement is, 0...1: near 1 where both frames show the same, near 0 after a cut, on a blank picture,
    /// and where stripes leave open how far it went along them.
    public let confidence: Float
    /// The stretch the frame covers, seconds from the stream's first frame; nil for pictures by themselves.
    public let timeRange: Range<TimeInterval>?
    /// Takes the frame before onto this one: a shift by `tx` pixels of the frame to the right and `ty` upwards.
    public let alignmentTransform: CGAffineTransform

    init(alignmentTransform: CGAffineTransform, confidence: Float, timeRange: Range<TimeInterval>?) {
        uuid = UUID()
        self.alignmentTransform = alignmentTransform
        self.confidence = confidence
        self.timeRange = timeRange
    }

    /// Two observations are equal when they are the same observation.
    public static func == (one: Self, other: Self) -> Bool { one.uuid == other.uuid }

    /// Hashes the observation's own number.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}

/// Tells from frame-to-frame movements whether a camera stands still (Apple's sample Action & Vision).
///
/// It needs more than 15 movements; the scene is stable when they add up to less than 10 pixels, |sum of tx| + |sum of
/// ty|, and otherwise the history is cleared and begins anew.
public struct SceneStability: Sendable, Hashable {
    /// What the movements so far say.
    public enum Verdict: String, Sendable, Hashable, Codable {
        /// Too few movements yet.
        case unknown
        /// The camera stands still.
        case stable
        /// The camera moved; the history has been cleared.
        case unstable
    }

    /// How many movements there must be more than (`sceneStabilityRequiredHistoryLength` of the sample).
    public static let requiredHistoryLength = 15
    /// What they must stay below when added up, pixels (a constant of the sample).
    public static let limit = 10.0

    private var sum = SIMD2(0.0, 0.0)
    /// How many movements the history holds.
    public private(set) var sampleCount = 0

    /// Begins without a history.
    public init() {}

    /// Takes the next movement, in pixels, and judges the scene.
    public mutating func update(tx: Double, ty: Double) -> Verdict {
        sum += SIMD2(tx, ty)
        sampleCount += 1
        guard sampleCount > Self.requiredHistoryLength else { return .unknown }
        // Not a number is not stable either.
        if abs(sum.x) + abs(sum.y) < Self.limit { return .stable }
        reset()
        return .unstable
    }

    /// Takes the next observation and judges the scene.
    public mutating func update(_ observation: ImageTranslationAlignmentObservation) -> Verdict {
        update(tx: Double(observation.alignmentTransform.tx), ty: Double(observation.alignmentTransform.ty))
    }

    /// Clears the history.
    public mutating func reset() {
        self = SceneStability()
    }
}
