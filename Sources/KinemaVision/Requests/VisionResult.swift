public import KinemaCore
import KinemaMedia

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
