internal import KinemaCore

/// Gives the frames of an input one after the other. Synchronous, for one thread.
protocol FrameDecoding: AnyObject {
    /// What is known before all frames are read.
    var description: StreamDescription { get }
    /// The next frame, or nil after the last one. Throws CancellationError when nobody waits for it any more.
    func next() throws -> VideoFrame?
}

/// Opens an input, whatever it is.
enum FrameDecoder {
    /// Opens the input and decodes its first frame, so that an input that cannot be read fails here.
    ///
    /// What lies on a web server whole, with a known end, is read like a file: all of it, as fast as it is wanted.
    static func open(
        _ input: MediaInput, _ options: ReadingOptions, cancellation: CancellationFlag,
        diagnostics: DiagnosticCollector?
    ) throws -> any FrameDecoding {
        var reading = options
        reading.diagnostics = diagnostics
        let container = try ContainerHandle(
            input, cancellation: cancellation, limits: options.limits, timeout: options.live.connectionTimeout,
            patience: options.live.silenceTimeout)
        guard !input.isAlwaysLive else {
            return try LiveFollower(input, container, reading: reading, cancellation: cancellation)
        }
        let facts = container.facts()
        if case .stream = input, facts.duration == nil, !facts.isPicture {
            return try LiveFollower(input, container, reading: reading, cancellation: cancellation)
        }
        return try VideoDecoder(input, container, options: reading, cancellation: cancellation)
    }
}

extension MediaInput {
    fileprivate var isAlwaysLive: Bool {
        switch self {
        case .file, .standardInput: false
        case .camera: true
        case .stream(let address): address.isRTSP
        }
    }
}
