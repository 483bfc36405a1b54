import KinemaImaging
public import Foundation
public import KinemaCore
public import KinemaMedia
public import KinemaVision

/// What requests throw: `KinemaError`, whose `code` and `message` say what happened.
public typealias VisionError = KinemaError

/// The side of a hand.
public typealias Chirality = HumanHandPoseObservation.Chirality

/// An observation with a rectangle around what was found.
public protocol BoundingBoxProviding {
    /// The rectangle, normalised, origin at the lower left.
    var boundingBox: NormalizedRect { get }
}

extension FaceObservation: BoundingBoxProviding {}
extension HumanObservation: BoundingBoxProviding {}
extension RectangleObservation: BoundingBoxProviding {}
extension ContoursObservation.Contour: BoundingBoxProviding {}

/// A part of a request's work.
public enum ComputeStage: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model, and what follows it.
    case main, postProcessing
}

/// What computes a model: here always the processor, since no other device can be made.
public enum MLComputeDevice: Sendable, Hashable {
    /// The processor.
    case cpu(MLCPUComputeDevice)
    /// Devices of Apple's systems, which do not exist here.
    case gpu(MLGPUComputeDevice), neuralEngine(MLNeuralEngineComputeDevice)

    /// All devices: the processor.
    public static var allComputeDevices: [MLComputeDevice] { [.cpu(MLCPUComputeDevice())] }
}

/// The processor.
public struct MLCPUComputeDevice: Sendable, Hashable {}
/// A graphics processor; none exists here.
public struct MLGPUComputeDevice: Sendable, Hashable { private init() {} }
/// Apple's neural engine; none exists here.
public struct MLNeuralEngineComputeDevice: Sendable, Hashable { private init() {} }

extension ImageProcessingRequest {
    /// The devices of each stage: the processor.
    public var supportedComputeStageDevices: [ComputeStage: [MLComputeDevice]] {
        Dictionary(uniqueKeysWithValues: ComputeStage.allCases.map { ($0, MLComputeDevice.allComputeDevices) })
    }

    /// Chooses the processor, which every stage runs on.
    public func setComputeDevice(_ computeDevice: MLComputeDevice?, for computeStage: ComputeStage) {}

    /// The device of a stage: the processor.
    public func computeDevice(for computeStage: ComputeStage) -> MLComputeDevice? {
        MLComputeDevice.allComputeDevices.first
    }
}

/// A request that compares two images.
public protocol TargetedRequest: ImageProcessingRequest {}

extension TrackTranslationalImageRegistrationRequest: TargetedRequest {}

/// Performs requests that compare two images.
public struct TargetedImageRequestHandler: Sendable {
    private let source: ImageRequestHandler, target: ImageRequestHandler

    /// Compares a picture in memory with another.
    public init(source: CGImage, target: CGImage, orientation: CGImagePropertyOrientation? = nil) {
        self.source = ImageRequestHandler(source, orientation: orientation)
        self.target = ImageRequestHandler(target, orientation: orientation)
    }

    /// Compares a frame with another.
    public init(source: CVPixelBuffer, target: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil) {
        self.source = ImageRequestHandler(source, orientation: orientation)
        self.target = ImageRequestHandler(target, orientation: orientation)
    }

    /// Compares an image file with another.
    public init(source: URL, target: URL, orientation: CGImagePropertyOrientation? = nil) {
        self.source = ImageRequestHandler(source, orientation: orientation)
        self.target = ImageRequestHandler(target, orientation: orientation)
    }

    /// The result for the target after the source; throws `.unreadableInput` and the request's errors.
    public func perform<Request: TargetedRequest>(_ request: Request) async throws -> Request.Result {
        // Without times of their own the two are taken in this order.
        _ = try await request.perform(on: VideoFrame(source.decode(), id: .inMemory))
        return try await request.perform(on: VideoFrame(target.decode(), id: .inMemory))
    }
}
