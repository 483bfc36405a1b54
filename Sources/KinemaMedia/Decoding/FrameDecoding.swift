import KinemaCore

/// Delivers the frames of an input in order. Synchronous; for one thread.
protocol FrameDecoding: AnyObject {
    var description: StreamDescription { get }
    /// Returns the next frame, or nil after the last one. Throws CancellationError once reading is cancelled.
    func next() throws -> VideoFrame?
}

enum FrameDecoder {
    /// Opens the input and decodes its first frame, so that unreadable input fails here.
    static func open(
        _ input: MediaInput, _ options: ReadingOptions, cancellation: CancellationFlag
    ) throws -> any FrameDecoding {
        var reading = options
        if case .process(let executable) = options.isolation, input.isFromOutside {
            if SharedMemoryHandle.isAllowed(size: options.limits.sharedMemory) {
                return try IsolatedDecoder(input, reading, executable: executable, cancellation: cancellation)
            }
            reading.diagnostics?.report(
                Diagnostic(
                    "decoder.here", "decoded without a sandbox, since files are limited in size (ulimit -f)",
                    file: input.source))
        }
        if reading.device == nil { reading.device = try HardwareDeviceHandle.open(reading.decoding) }
        do {
            return try openHere(input, reading, cancellation: cancellation)
        } catch {
            // If the driver fails at the first picture, the processor reads the file, unless the device is required.
            guard let device = reading.device, !device.isRequired, input.isFile, !cancellation.isRaised else {
                throw error
            }
            (reading.device, reading.decoding) = (nil, .software)
            guard let decoder = try? openHere(input, reading, cancellation: cancellation) else { throw error }
            reading.diagnostics?.report(.passedOver(device, input))
            return decoder
        }
    }

    private static func openHere(
        _ input: MediaInput, _ reading: ReadingOptions, cancellation: CancellationFlag
    ) throws -> any FrameDecoding {
        let container = try ContainerHandle(
            input, cancellation: cancellation, limits: reading.limits, timeout: reading.live.connectionTimeout,
            readTimeout: reading.live.silenceTimeout, given: reading.given, gate: reading.gate)
        guard !input.isAlwaysLive else {
            return try ReconnectingDecoder(input, container, reading: reading, cancellation: cancellation)
        }
        let facts = container.facts()
        if case .stream = input, facts.length == nil, !facts.isPicture {
            return try ReconnectingDecoder(input, container, reading: reading, cancellation: cancellation)
        }
        return try VideoDecoder(input, container, options: reading, cancellation: cancellation)
    }
}

extension Diagnostic {
    /// The processor decoded a video although there is a device.
    static func passedOver(_ device: HardwareDeviceHandle, _ input: MediaInput) -> Diagnostic {
        Diagnostic("decoder.software", "decoded by the processor, since \(device.path) does not", file: input.source)
    }
}

extension MediaInput {
    fileprivate var isFile: Bool { if case .file = self { true } else { false } }

    /// Whether a decoder process can read the untrusted bytes: not a camera's, and not UDP, which cannot be confined.
    fileprivate var isFromOutside: Bool {
        switch self {
        case .file, .standardInput: true
        case .camera: false
        case .stream(let address): !address.isRTSP || address.isEncrypted || address.transport == .tcp
        }
    }

    fileprivate var isAlwaysLive: Bool {
        switch self {
        case .file, .standardInput: false
        case .camera: true
        case .stream(let address): address.isRTSP
        }
    }
}

/// The description of a stream, known before its frames are read.
struct StreamDescription: Codable, Sendable {
    var width: Int
    var height: Int
    var frameRate: Double
    var timescale: Int
    var duration: Double
    var expectedFrameCount: Int?
    var isLive: Bool
    /// The times in seconds from the first frame at which decoding can begin, increasing; nil if only a part's decoder
    /// can list them.
    var keyTimes: [Double]?

    /// The most key times that are listed; of more, only some are.
    static let maximumKeyTimes = 2_000

    func turned(_ orientation: PixelOrientation, every: Int) -> StreamDescription {
        var turned = self
        if orientation.transposed { (turned.width, turned.height) = (height, width) }
        turned.frameRate /= Double(every)
        turned.expectedFrameCount = expectedFrameCount.map { ($0 + every - 1) / every }
        return turned
    }

    /// Whether a decoder can produce these numbers.
    func isPossible(within limits: ReadingLimits) -> Bool {
        width > 0 && height > 0 && limits.accepts(width: width, height: height) && (0...1000).contains(frameRate)
            && (1...Int(Int32.max)).contains(timescale) && (0..<1e12).contains(duration)
            && (0...1_000_000_000).contains(expectedFrameCount ?? 0)
            && (keyTimes ?? []).count <= Self.maximumKeyTimes && (keyTimes ?? []).allSatisfy { (0..<1e12).contains($0) }
    }
}

/// The frames of a file from a given time, with the same timestamps as when it is read whole. Synchronous; for one
/// thread.
package final class PartReader {
    private let decoder: any FrameDecoding
    private let orientation: PixelOrientation

    init(_ decoder: any FrameDecoding, orientation: PixelOrientation) {
        (self.decoder, self.orientation) = (decoder, orientation)
    }

    /// The times in seconds at which decoding can begin, increasing; empty if the file does not list them.
    package var keyTimes: [Double] { decoder.description.keyTimes ?? [] }

    /// The next frame; nil after the last. Throws `unreadableInput` and CancellationError.
    package func next() throws -> VideoFrame? { try decoder.next()?.oriented(orientation) }
}
