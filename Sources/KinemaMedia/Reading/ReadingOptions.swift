import KinemaCore

struct ReadingOptions: Sendable {
    /// Frames decoded before they are requested, besides the two of a decoder process; none for live sources.
    var framesAhead = 2
    var decodingThreads = 1
    var limits = ReadingLimits()
    var live = LiveOptions()
    var isolation = DecoderIsolation.none
    var decoding = DecodingChoice.software
    /// How to turn the frames, after their own orientation.
    var orientation = PixelOrientation.upright
    /// How the times of a file become seconds of what was filmed.
    var timing = FrameTiming.tagged
    /// Every Nth frame is delivered; 1 or more.
    var every = 1
    /// The position in the file at which to begin; nil to read all of it.
    var part: PartStart?
    var device: HardwareDeviceHandle?
    /// The memory for a decoder process's pictures; nil for its own.
    var memory: SharedPictureMemory?
    /// The input's descriptors, in a decoder process; nil to open it.
    var given: GivenFile?
    /// A decoder process's access to a stream; nil for the network.
    var gate: GateClient?
    var diagnostics: DiagnosticCollector?
    /// Called when the state of a live source's connection changes.
    var onState: (@Sendable (ConnectionState) -> Void)?
}
