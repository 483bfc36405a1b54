import KinemaCore

enum FrameDecoder {
    /// Opens the input and decodes its first frame, so that unreadable input fails here; it delivers the selected frames.
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
            return SelectingDecoder.selecting(
                reading.selection, of: try openHere(input, reading, cancellation: cancellation))
        } catch {
            // If the driver fails at the first picture, the processor reads the file, unless the device is required.
            guard let device = reading.device, !device.isRequired, input.isFile, !cancellation.isRaised else {
                throw error
            }
            (reading.device, reading.decoding) = (nil, .software)
            guard let decoder = try? openHere(input, reading, cancellation: cancellation) else { throw error }
            reading.diagnostics?.report(.passedOver(device, input))
            return SelectingDecoder.selecting(reading.selection, of: decoder)
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
