@_exported public import KinemaPose
@_exported public import KinemaImaging
@_exported public import KinemaVision
@_exported public import Foundation
@_exported public import KinemaCore
@_exported public import KinemaMedia
@_exported public import KinemaPorting
import Synchronization

// `import Vision` brings Foundation, images, times and geometry along, so `import KinemaVN` does.

/// Numbers of revisions, which change nothing.
public let VNDetectHumanBodyPoseRequestRevision1 = 1, VNDetectHumanHandPoseRequestRevision1 = 1,
    VNDetectHumanRectanglesRequestRevision1 = 1, VNDetectHumanRectanglesRequestRevision2 = 2,
    VNDetectFaceRectanglesRequestRevision2 = 2, VNDetectFaceRectanglesRequestRevision3 = 3,
    VNDetectContourRequestRevision1 = 1, VNDetectTrajectoriesRequestRevision1 = 1,
    VNDetectHumanBodyPose3DRequestRevision1 = 1, VNGeneratePersonSegmentationRequestRevision1 = 1,
    VNHomographicImageRegistrationRequestRevision1 = 1, VNGeneratePersonInstanceMaskRequestRevision1 = 1,
    VNTranslationalImageRegistrationRequestRevision1 = 1, VNTrackTranslationalImageRegistrationRequestRevision1 = 1

/// A part of a request's work.
public typealias VNComputeStage = ComputeStage

/// What is called when a request has been performed, on the thread that performed it.
public typealias VNRequestCompletionHandler = (VNRequest, (any Error)?) -> Void

/// What gives `VNRequest.results` to every request, beside the typed results of each kind.
public protocol VNRequestResults: AnyObject {}

/// The base of all requests; keep one per thread.
public class VNRequest: VNRequestResults, Hashable {
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

    /// Whether both are the same instance.
    public static func == (one: VNRequest, other: VNRequest) -> Bool { one === other }

    /// Hashes the instance's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The devices of each stage: the processor, as every request runs there.
    public func supportedComputeStageDevices() throws -> [VNComputeStage: [MLComputeDevice]] {
        Dictionary(uniqueKeysWithValues: VNComputeStage.allCases.map { ($0, MLComputeDevice.allComputeDevices) })
    }

    /// Chooses the processor, which every stage runs on.
    public func setComputeDevice(_ computeDevice: MLComputeDevice?, for computeStage: VNComputeStage) {}

    /// The device of a stage: the processor.
    public func computeDevice(for computeStage: VNComputeStage) -> MLComputeDevice? {
        MLComputeDevice.allComputeDevices.first
    }

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

/// A request about a part of an image.
public class VNImageBasedRequest: VNRequest {
    /// The part to analyse, 0...1, origin at the lower left; results are relative to it. It must lie within the image.
    public var regionOfInterest = VNNormalizedIdentityRect

    func region() throws -> NormalizedRect {
        let isInside = VNNormalizedIdentityRect.insetBy(dx: -1e-9, dy: -1e-9).contains(regionOfInterest)
        guard isInside, regionOfInterest.width > 0, regionOfInterest.height > 0 else {
            throw VNError(.outOfBoundsError, "the region of interest \(regionOfInterest) is not within (0, 0, 1, 1)")
        }
        return NormalizedRect(normalizedRect: regionOfInterest)
    }
}

/// A request that gathers evidence over the frames of one stream.
public class VNStatefulRequest: VNImageBasedRequest {
    /// The minimum time between analysed frames.
    public let frameAnalysisSpacing: CMTime

    /// Creates a request that skips frames that follow sooner than the spacing.
    public init(frameAnalysisSpacing: CMTime, completionHandler: VNRequestCompletionHandler? = nil) {
        self.frameAnalysisSpacing = frameAnalysisSpacing
        super.init(completionHandler: completionHandler)
    }

    /// The number of frames before the first observation.
    public var minimumLatencyFrameCount: Int { 1 }
}

/// The domain of errors that requests throw.
public let VNErrorDomain = "com.apple.vis"

/// The kinds of failure; the raw values are Vision's, as its header `VNError.h` counts them.
public enum VNErrorCode: Int, Sendable {
    /// The request was cancelled before its turn.
    case requestCancelled = 1
    /// The analysis failed.
    case operationFailed = 3
    /// The region of interest is outside the image.
    case outOfBoundsError = 4
    /// A file could not be written.
    case ioError = 6
    /// The image cannot be decoded.
    case invalidImage = 13
    /// A value is out of range.
    case invalidArgument = 14
    /// A model or the inference library is missing.
    case invalidModel = 15
    /// A stateful request was performed on an image without a time.
    case timeStampNotFound = 18
    /// This system does not support the request.
    case unsupportedRequest = 19

    /// Vision's other kinds, which nothing here reports.
    case turiCoreErrorCode = -1, OK = 0, invalidFormat = 2, invalidOption = 5, missingOption = 7, notImplemented = 8,
        internalError = 9, outOfMemory, unknownError, invalidOperation, unsupportedRevision = 16, dataUnavailable,
        timeout = 20, unsupportedComputeStage, unsupportedComputeDevice
}

/// A failed request, with Vision's domain and code and a message in one line.
///
/// A class, since on Linux `catch let error as NSError` catches nothing else.
public final class VNError: NSError, @unchecked Sendable {
    init(_ code: VNErrorCode, _ message: String) {
        super.init(domain: VNErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// Decodes an error.
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// The error that reports another.
    static func reporting(_ error: any Error) -> VNError {
        if let error = error as? VNError { return error }
        guard let error = error as? KinemaError else {
            return VNError(error is CancellationError ? .requestCancelled : .operationFailed, "\(error)")
        }
        let code: VNErrorCode =
            switch error.code {
            case .unreadableInput: .invalidImage
            case .unwritableOutput: .ioError
            case .missingComponent: .invalidModel
            case .invalidArgument: .invalidArgument
            case .unsupported: .unsupportedRequest
            case .analysisFailed: .operationFailed
            }
        return VNError(code, error.description)
    }
}
