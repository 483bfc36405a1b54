import KinemaCore

/// Delivers the frames of an input in order. Synchronous; for one thread.
protocol FrameDecoding: AnyObject {
    /// What is known before any frame is read.
    var description: StreamDescription { get }
    /// Returns the next frame, or nil after the last one. Throws CancellationError once reading is cancelled.
    func next() throws -> VideoFrame?
}

/// Chooses the decoder for an input.
enum FrameDecoder {
    /// Opens the input and decodes its first frame, so that unreadable input fails here.
    ///
    /// A finite file on a web server is read like a local file: completely, and as fast as the consumer asks.
    static func open(
        _ input: MediaInput, _ options: ReadingOptions, cancellation: CancellationFlag,
        diagnostics: DiagnosticCollector?
    ) throws -> any FrameDecoding {
        var reading = options
        reading.diagnostics = diagnostics
        if case .process(let executable) = options.isolation, input.isFromOutside {
            if SharedMemoryHandle.isAllowed(size: options.limits.sharedMemory) {
                return try IsolatedDecoder(input, reading, executable: executable, cancellation: cancellation)
            }
            diagnostics?.report(
                Diagnostic(
                    "decoder.here", "decoded without a sandbox, since files are limited in size (ulimit -f)",
                    file: input.source))
        }
        if reading.device == nil { reading.device = try HardwareDeviceHandle.open(reading.decoding) }
        do {
            return try openHere(input, reading, cancellation: cancellation)
        } catch {
            // A driver that fails with the first picture already is no reason not to read a file, unless it was asked for.
            guard let device = reading.device, !device.isRequired, input.isFile, !cancellation.isRaised else {
                throw error
            }
            (reading.device, reading.decoding) = (nil, .software)
            guard let decoder = try? openHere(input, reading, cancellation: cancellation) else { throw error }
            diagnostics?.report(.passedOver(device, input))
            return decoder
        }
    }

    /// Opens the input in this process.
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
    /// A video was decoded by the processor although there is a device.
    static func passedOver(_ device: HardwareDeviceHandle, _ input: MediaInput) -> Diagnostic {
        Diagnostic("decoder.software", "decoded by the processor, since \(device.path) does not", file: input.source)
    }
}

extension MediaInput {
    fileprivate var isFile: Bool {
        if case .file = self { true } else { false }
    }

    /// Whether the bytes are anybody's, and a decoder process can read them: not a camera's, and not packets of their own
    /// (UDP), which nothing could hold to one address.
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

/// Counts the defects of an input, so that each kind is reported once.
struct DecodingReport {
    var damagedPackets = 0
    var damagedFrames = 0
    var readErrors = 0
    /// Seconds from the first frame to where the file ends early; nil if it is complete.
    var brokeOffAt: Double?

    /// All defects as findings about `source`.
    func diagnostics(
        repairs: (missing: Int, equal: Int, backward: Int, restarted: Int), source: String
    ) -> [Diagnostic] {
        var found: [Diagnostic] = []
        func add(_ count: Int, _ code: String, _ what: String, _ message: String) {
            guard count > 0 else { return }
            found.append(Diagnostic(code, "\(count) \(what)\(count == 1 ? "" : "s") \(message)", file: source))
        }
        add(damagedPackets, "packets.damaged", "damaged packet", "skipped")
        add(damagedFrames, "frames.damaged", "damaged frame", "may look wrong")
        add(repairs.missing, "timestamps.missing", "frame", "without a timestamp; placed by the frame rate")
        add(repairs.equal, "timestamps.equal", "frame", "with the same timestamp as the frame before; moved")
        add(repairs.backward, "timestamps.backward", "frame", "with a timestamp before the last one; moved")
        add(repairs.restarted, "timestamps.restarted", "backward jump", "of the stream's clock; joined")
        if let brokeOffAt {
            found.append(
                Diagnostic(
                    "input.truncated", "the file ends early; everything before this point was read", file: source,
                    time: brokeOffAt))
        } else {
            add(readErrors, "input.damaged", "part", "of the file could not be read; skipped")
        }
        return found
    }
}
