public import Foundation
import KinemaMedia
import Synchronization

/// Numbers of revisions, which change nothing.
public let VNDetectHumanBodyPoseRequestRevision1 = 1, VNDetectHumanHandPoseRequestRevision1 = 1,
    VNDetectHumanRectanglesRequestRevision1 = 1, VNDetectHumanRectanglesRequestRevision2 = 2,
    VNDetectFaceRectanglesRequestRevision2 = 2, VNDetectFaceRectanglesRequestRevision3 = 3,
    VNDetectContourRequestRevision1 = 1, VNDetectTrajectoriesRequestRevision1 = 1,
    VNDetectHumanBodyPose3DRequestRevision1 = 1, VNGeneratePersonSegmentationRequestRevision1 = 1,
    VNTranslationalImageRegistrationRequestRevision1 = 1, VNTrackTranslationalImageRegistrationRequestRevision1 = 1

/// What is called when a request has been performed, on the thread that performed it.
public typealias VNRequestCompletionHandler = (VNRequest, (any Error)?) -> Void

/// What gives `VNRequest.results` to every request, beside the typed results of each kind.
public protocol VNRequestResults: AnyObject {}

/// The base of all requests; keep one per thread.
public class VNRequest: VNRequestResults {
    /// What is called when the request has been performed.
    public let completionHandler: VNRequestCompletionHandler?
    /// The revision; there is one of each request, so another value changes nothing.
    public var revision = 1
    /// Without effect: requests run on the processor, on the caller's thread.
    public var preferBackgroundProcessing = false, usesCPUOnly = false
    /// The only revision.
    public class var currentRevision: Int { 1 }
    /// The only revision.
    public class var defaultRevision: Int { 1 }
    /// The only revision.
    public class var supportedRevisions: IndexSet { [1] }

    var observations: [VNObservation]?
    private let isCancelled = Atomic(false)

    /// Creates a request.
    public init(completionHandler: VNRequestCompletionHandler? = nil) { self.completionHandler = completionHandler }

    /// Makes the next performance fail with `.requestCancelled`; one that runs already finishes.
    public func cancel() { isCancelled.store(true, ordering: .relaxed) }

    func analyse(_ frame: VideoFrame) throws -> [VNObservation] { [] }

    /// Performs the request and reports to the completion handler; the error is also returned.
    func run(_ frame: () throws -> VideoFrame) -> (any Error)? {
        observations = nil
        var failure: VNError?
        do {
            if isCancelled.exchange(false, ordering: .relaxed) {
                throw VNError(.requestCancelled, "the request was cancelled")
            }
            observations = try analyse(frame())
        } catch {
            failure = .reporting(error)
        }
        completionHandler?(self, failure)
        return failure
    }
}

extension VNRequestResults where Self: VNRequest {
    /// The observations of the last performance; nil before it and after a failure.
    public var results: [VNObservation]? { observations }
}
