public import KinemaVision
public import Foundation
public import KinemaCore
import KinemaMedia
import Synchronization

/// Performs requests on the frames of a video file, one after the other on the calling thread.
///
/// A request's completion handler is called after every frame and gets its error; analysis goes on.
public final class VNVideoProcessor {
    /// Which frames a request analyses.
    public class Cadence {
        fileprivate let spacing: TimeInterval

        fileprivate init(spacing: TimeInterval) { self.spacing = spacing }
    }

    /// At most the given number of frames a second.
    public final class FrameRateCadence: Cadence {
        /// Makes a cadence from frames a second, at least 1.
        public init(_ frameRate: Int) { super.init(spacing: 1 / Double(max(1, frameRate))) }
    }

    /// Frames at least this far apart.
    public final class TimeIntervalCadence: Cadence {
        /// Makes a cadence from seconds.
        public init(_ timeInterval: CFTimeInterval) { super.init(spacing: timeInterval) }
    }

    /// How a request is performed.
    public final class RequestProcessingOptions {
        /// Which frames are analysed; nil for all.
        public var cadence: Cadence?

        /// Makes options that analyse every frame.
        public init() {}
    }

    private let url: URL
    private var requests: [(request: VNRequest, spacing: TimeInterval)] = []
    private let isCancelled = Atomic(false)

    /// Makes a processor for a video file, which `analyze(_:)` opens.
    public init(url: URL) { self.url = url }

    /// Adds a request; a completion handler may add and remove requests too.
    public func addRequest(_ request: VNRequest, processingOptions: RequestProcessingOptions) throws {
        requests.append((request, processingOptions.cadence?.spacing ?? 0))
    }

    /// Adds a request for every frame.
    public func add(_ request: VNRequest) throws {
        try addRequest(request, processingOptions: RequestProcessingOptions())
    }

    /// Removes a request; throws for one that was not added.
    public func removeRequest(_ request: VNRequest) throws {
        guard let index = requests.firstIndex(where: { $0.request === request }) else {
            throw VNError(.invalidArgument, "the request was not added to the processor")
        }
        requests.remove(at: index)
    }

    /// Analyses the frames of a time range, to the end of the video if its end is not a number.
    ///
    /// Throws `.invalidImage` for a file that cannot be read and `.requestCancelled` after `cancel()`.
    public func analyze(_ timeRange: CMTimeRange) throws {
        let start = timeRange.start.isNumeric ? timeRange.start.seconds : 0
        let end = timeRange.end.isNumeric ? timeRange.end.seconds : .infinity
        var analysed: [ObjectIdentifier: TimeInterval] = [:]
        isCancelled.store(false, ordering: .relaxed)
        do {
            try VideoReader.forEachFrame(of: url) { frame in
                guard frame.time < end, !isCancelled.load(ordering: .relaxed) else { return false }
                guard frame.time >= start else { return true }
                for (request, spacing) in requests {
                    let last = analysed[ObjectIdentifier(request)] ?? -.infinity
                    // The tolerance keeps rounding from skipping a frame at exactly the spacing.
                    guard frame.time - last >= spacing - 1e-6 else { continue }
                    analysed[ObjectIdentifier(request)] = frame.time
                    _ = request.run { frame }
                }
                return true
            }
        } catch { throw VNError.reporting(error) }
        if isCancelled.load(ordering: .relaxed) { throw VNError(.requestCancelled, "the analysis was cancelled") }
    }

    /// Ends `analyze(_:)` before its next frame; any thread may call it.
    public func cancel() { isCancelled.store(true, ordering: .relaxed) }
}

/// An image that an analysis produced.
public final class VNPixelBufferObservation: VNObservation {
    /// The image: grey, bright where a person is.
    public let pixelBuffer: CVPixelBuffer
    /// Always nil: the image is the request's only one.
    public let featureName: String? = nil

    init(_ observation: PixelBufferObservation) {
        pixelBuffer = VideoFrame(
            bitmap: observation.picture, id: TemporalSegmentIdentifier(source: "mask", range: 0..<1, timescale: 1))
        super.init(observation)
    }
}

/// Finds the pixels of an image that show people.
public final class VNGeneratePersonSegmentationRequest: VNStatefulRequest {
    /// How finely the mask is sampled.
    public typealias QualityLevel = GeneratePersonSegmentationRequest.QualityLevel

    /// How finely the mask is sampled; `.accurate` by default.
    public var qualityLevel = QualityLevel.accurate
    /// One of the formats of grey pixels; the mask is the same picture in all of them.
    public var outputPixelFormat: OSType = kCVPixelFormatType_OneComponent8

    /// Creates a request that analyses every frame.
    public init(completionHandler: VNRequestCompletionHandler? = nil) {
        super.init(frameAnalysisSpacing: .zero, completionHandler: completionHandler)
    }

    /// The formats of grey pixels.
    public func supportedOutputPixelFormats() throws -> [OSType] {
        [
            kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent16Half,
            kCVPixelFormatType_OneComponent32Float,
        ]
    }

    /// The mask of the last performance.
    public var results: [VNPixelBufferObservation]? { observations as? [VNPixelBufferObservation] }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        let request = GeneratePersonSegmentationRequest()
        request.qualityLevel = qualityLevel
        request.outputPixelFormatType = outputPixelFormat
        request.regionOfInterest = try region()
        return [VNPixelBufferObservation(try request.mask(of: frame))]
    }
}
