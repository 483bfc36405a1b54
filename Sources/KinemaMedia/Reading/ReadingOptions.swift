internal import KinemaCore

/// How an input is read.
struct ReadingOptions: Sendable {
    /// Frames decoded before they are requested, besides the two of a decoder process; none for live sources.
    var framesAhead = 2
    /// Threads inside the decoder.
    var decodingThreads = 1
    var limits = ReadingLimits()
    var live = LiveOptions()
    var isolation = DecoderIsolation.none
    var decoding = DecodingChoice.software
    /// The device of that choice, once its driver has been started.
    var device: HardwareDeviceHandle?
    /// Where a decoder process puts decoded pictures; nil for its own memory.
    var memory: SharedPictureMemory?
    /// The input's descriptors, in a decoder process; nil to open it.
    var given: GivenFile?
    /// The way to a stream, in a decoder process; nil for the network.
    var gate: GateClient?
    var diagnostics: DiagnosticCollector?
    /// Called when the state of a live source's connection changes.
    var onState: (@Sendable (ConnectionState) -> Void)?
}
