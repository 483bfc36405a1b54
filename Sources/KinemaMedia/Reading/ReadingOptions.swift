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
    /// The frames that are analysed.
    var selection = FrameSelection.all
    /// Whether a file's other frames are delivered as well.
    var keepsSkipped = false
    /// How the times of a file become seconds of what was filmed.
    var timing = FrameTiming.tagged
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

    /// The options for a reader of all frames that are delivered.
    var delivering: ReadingOptions {
        var options = self
        if keepsSkipped { options.selection = .all }
        return options
    }
}
