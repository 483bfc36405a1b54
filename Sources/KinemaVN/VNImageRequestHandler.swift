public import KinemaVision
public import Foundation
public import KinemaCore
public import KinemaMedia
import Synchronization

/// An option of a handler; none has an effect here.
public struct VNImageOption: RawRepresentable, Hashable, Sendable {
    /// The option's name.
    public let rawValue: String

    /// Makes an option from a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Properties of the image, the camera's intrinsic matrix, and the context that renders the image.
    public static let properties = VNImageOption(rawValue: "VNImageOptionProperties"),
        cameraIntrinsics = VNImageOption(rawValue: "VNImageOptionCameraIntrinsics"),
        ciContext = VNImageOption(rawValue: "VNImageOptionCIContext")
}

/// Performs requests on one image, which is decoded once, also where two queues perform requests on it.
public final class VNImageRequestHandler: Sendable {
    private let image: ImageRequestHandler
    private let frame = Mutex<Result<VideoFrame, any Error>?>(nil)

    private init(_ image: ImageRequestHandler) { self.image = image }

    /// An image in a file; without an orientation the file's own is used.
    public convenience init(
        url: URL, orientation: CGImagePropertyOrientation? = nil, options: [VNImageOption: Any] = [:]
    ) {
        self.init(ImageRequestHandler(url, orientation: orientation))
    }

    /// An image file's bytes; without an orientation the file's own is used.
    public convenience init(
        data: Data, orientation: CGImagePropertyOrientation? = nil, options: [VNImageOption: Any] = [:]
    ) {
        self.init(ImageRequestHandler(data, orientation: orientation))
    }

    /// A picture in memory, which the orientation turns upright.
    public convenience init(
        cgImage: CGImage, orientation: CGImagePropertyOrientation = .up, options: [VNImageOption: Any] = [:]
    ) {
        self.init(ImageRequestHandler(cgImage, orientation: orientation))
    }

    /// A decoded picture, which the orientation turns upright.
    public convenience init(
        ciImage: CIImage, orientation: CGImagePropertyOrientation = .up, options: [VNImageOption: Any] = [:]
    ) {
        self.init(ImageRequestHandler(ciImage, orientation: orientation))
    }

    /// A decoded picture, which the orientation turns upright.
    public convenience init(
        cvPixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation = .up,
        options: [VNImageOption: Any] = [:]
    ) {
        self.init(ImageRequestHandler(cvPixelBuffer, orientation: orientation))
    }

    /// A frame with its time, which the orientation turns upright.
    public convenience init(
        cmSampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation = .up,
        options: [VNImageOption: Any] = [:]
    ) {
        self.init(ImageRequestHandler(cmSampleBuffer, orientation: orientation))
    }

    /// Performs requests one after the other on this thread; throws the first `VNError` when all are done.
    public func perform(_ requests: [VNRequest]) throws {
        try run(requests, on: decoded)
    }

    func decoded() throws -> VideoFrame {
        try frame.withLock { known in
            let decoded = known ?? Result { try image.decode() }
            known = decoded
            return decoded
        }.get()
    }
}

/// Performs requests on a sequence of images.
public final class VNSequenceRequestHandler {
    /// Creates a handler. What a request remembers is kept in the request.
    public init() {}

    /// Performs requests on a frame with its time; throws the first `VNError` when all are done.
    public func perform(
        _ requests: [VNRequest], on frame: CMSampleBuffer, orientation: CGImagePropertyOrientation = .up
    ) throws {
        try run(requests, on: ImageRequestHandler(frame, orientation: orientation).decode)
    }

    /// Performs requests on a picture in memory; throws the first `VNError` when all are done.
    public func perform(
        _ requests: [VNRequest], on image: CGImage, orientation: CGImagePropertyOrientation = .up
    ) throws {
        try run(requests, on: ImageRequestHandler(image, orientation: orientation).decode)
    }

    /// Performs requests on an image in a file; throws the first `VNError` when all are done.
    public func perform(
        _ requests: [VNRequest], onImageURL url: URL, orientation: CGImagePropertyOrientation? = nil
    ) throws {
        try run(requests, on: ImageRequestHandler(url, orientation: orientation).decode)
    }

    /// Performs requests on an image file's bytes; throws the first `VNError` when all are done.
    public func perform(
        _ requests: [VNRequest], onImageData data: Data, orientation: CGImagePropertyOrientation? = nil
    ) throws {
        try run(requests, on: ImageRequestHandler(data, orientation: orientation).decode)
    }
}

private func run(_ requests: [VNRequest], on frame: () throws -> VideoFrame) throws {
    // The requests run on the caller's thread: their analysis is synchronous, so nothing waits for another thread.
    let failures = requests.compactMap { $0.run(frame) }
    if let first = failures.first { throw first }
}
