import KinemaPose
public import KinemaImaging
public import Foundation
public import KinemaCore
public import KinemaMedia

/// Vision's name for all requests.
public typealias VisionRequest = ImageProcessingRequest

/// A request for the analysis of an image, as in Vision's Swift API.
public protocol ImageProcessingRequest: Sendable, Hashable {
    /// The type of the request's result.
    associatedtype Result: Sendable
    /// The revisions of the request.
    associatedtype Revision: CaseIterable

    /// The revision in use.
    var revision: Revision { get }

    /// The kind and revision of the request.
    var descriptor: RequestDescriptor { get }

    /// The part of the image to analyse, 0...1, origin at the lower left.
    var regionOfInterest: NormalizedRect { get set }

    /// Performs the request on a frame; throws `.missingComponent` without the inference library or a model.
    func perform(on frame: VideoFrame) async throws -> Result
}

extension ImageProcessingRequest {
    /// The supported revisions.
    public static var supportedRevisions: [Revision] { Array(Revision.allCases) }
}

/// A request that keeps state between frames: create one per stream and pass it the frames in order.
public protocol StatefulRequest: ImageProcessingRequest {
    /// The minimum time between analysed frames; frames that follow sooner are skipped.
    var frameAnalysisSpacing: CMTime { get }

    /// The number of frames the request needs before its first result.
    var minimumLatencyFrameCount: Int { get }
}

extension StatefulRequest {
    /// One, for requests that analyse each frame by itself.
    public var minimumLatencyFrameCount: Int { 1 }
}

extension StatefulRequest where Self: AnyObject {
    /// Whether both are the same request instance.
    public static func == (one: Self, other: Self) -> Bool { one === other }

    /// Hashes the request's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The result of one of several requests on an image, with the request, as in Vision's Swift API.
public enum VisionResult: Sendable {
    /// Rectangles around faces.
    case detectFaceRectangles(DetectFaceRectanglesRequest, [FaceObservation])
    /// Rectangles around people.
    case detectHumanRectangles(DetectHumanRectanglesRequest, [HumanObservation])
    /// Bodies.
    case detectHumanBodyPose(DetectHumanBodyPoseRequest, [HumanBodyPoseObservation])
    /// Hands.
    case detectHumanHandPose(DetectHumanHandPoseRequest, [HumanHandPoseObservation])
    /// Bodies in space.
    case detectHumanBodyPose3D(DetectHumanBodyPose3DRequest, [HumanBodyPose3DObservation])
    /// The translation since the last frame; nil for the first one.
    case trackTranslationalImageRegistration(
        TrackTranslationalImageRegistrationRequest, ImageTranslationAlignmentObservation?)
    /// Flying objects.
    case detectTrajectories(DetectTrajectoriesRequest, [TrajectoryObservation])
    /// Contours.
    case detectContours(DetectContoursRequest, ContoursObservation)
    /// The pixels of people.
    case generatePersonSegmentation(GeneratePersonSegmentationRequest, PixelBufferObservation)
    /// The request failed.
    case error(any VisionRequest, any Error)

    /// Performs a request on a frame.
    init(of request: any VisionRequest, on frame: VideoFrame) async {
        do {
            self =
                switch request {
                case let request as DetectFaceRectanglesRequest:
                    .detectFaceRectangles(request, try await request.perform(on: frame))
                case let request as DetectHumanRectanglesRequest:
                    .detectHumanRectangles(request, try await request.perform(on: frame))
                case let request as DetectHumanBodyPoseRequest:
                    .detectHumanBodyPose(request, try await request.perform(on: frame))
                case let request as DetectHumanHandPoseRequest:
                    .detectHumanHandPose(request, try await request.perform(on: frame))
                case let request as DetectHumanBodyPose3DRequest:
                    .detectHumanBodyPose3D(request, try await request.perform(on: frame))
                case let request as TrackTranslationalImageRegistrationRequest:
                    .trackTranslationalImageRegistration(request, try await request.perform(on: frame))
                case let request as DetectTrajectoriesRequest:
                    .detectTrajectories(request, try await request.perform(on: frame))
                case let request as DetectContoursRequest:
                    .detectContours(request, try await request.perform(on: frame))
                case let request as GeneratePersonSegmentationRequest:
                    .generatePersonSegmentation(request, try await request.perform(on: frame))
                default:
                    throw KinemaError(
                        .invalidArgument, "\(type(of: request)) is not one of Vision's requests; perform it alone")
                }
        } catch {
            self = .error(request, error)
        }
    }
}

/// The frames, and the part of them, that a request analyses if it is independent of earlier frames.
struct DueFrames: Sendable {
    var region = NormalizedRect.fullImage
    private var last: (source: String, time: Double)?

    /// Accepts a frame for analysis; false if it follows too soon after one of the same stream.
    mutating func take(_ frame: VideoFrame, after spacing: CMTime) -> Bool {
        // The tolerance keeps rounding from skipping a frame at exactly the spacing.
        if !frame.isPicture, let last, last.source == frame.id.source, frame.time >= last.time,
            frame.time - last.time < spacing.seconds - 1e-6
        {
            return false
        }
        last = (frame.id.source, frame.time)
        return true
    }
}

/// An image with one value per pixel, produced by an analysis, with Vision's names.
public struct PixelBufferObservation: VisionObservation {
    /// A unique identifier; two observations are equal if they have the same one.
    public let uuid: UUID
    /// Always 1: the mask's values are the confidence.
    public let confidence: Float
    /// The picture's time range from the stream's first frame; nil outside a stream.
    public let timeRange: CMTimeRange?
    /// The request that made the observation.
    public let originatingRequestDescriptor: RequestDescriptor?
    /// The values: 255 where a person is, 0 where nobody is, row by row from the top left.
    public let mask: PersonMask

    init(_ mask: PersonMask, timeRange: CMTimeRange?, from request: RequestDescriptor) {
        (uuid, confidence, self.timeRange, self.mask) = (UUID(), 1, timeRange, mask)
        originatingRequestDescriptor = request
    }

    /// Columns and rows.
    public var size: CGSize { CGSize(width: mask.width, height: mask.height) }

    /// The values as a grey image; it never throws here.
    public var cgImage: Bitmap { get throws { picture } }

    package var picture: Bitmap {
        Bitmap(width: mask.width, height: mask.height, pixels: mask.values.flatMap { [$0, $0, $0, 255] })
    }
}
