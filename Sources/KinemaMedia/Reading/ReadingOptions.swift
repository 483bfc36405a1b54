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

struct PartStart: Codable, Hashable, Sendable {
    /// Seconds from the file's first frame; earlier frames are not delivered.
    var time: Double
    /// Whether any defect ends the reading with an error, so that the file is read in one piece.
    var isStrict: Bool
}

package enum DecodingChoice: Codable, Hashable, Sendable {
    case software
    /// A VA-API device, at the path or the first one; the processor decodes the rest, unless the device is required.
    case vaapi(device: String?, isRequired: Bool)

    /// Parses `software`, `auto` or `vaapi`, the last two also with a device (`vaapi:/dev/dri/renderD129`); else nil.
    package init?(_ text: String) {
        let name = text.prefix { $0 != ":" }
        let device = name.count < text.count ? String(text.dropFirst(name.count + 1)) : nil
        guard device == nil || device?.hasPrefix("/") == true else { return nil }
        switch name {
        case "software" where device == nil: self = .software
        case "auto": self = .vaapi(device: device, isRequired: false)
        case "vaapi": self = .vaapi(device: device, isRequired: true)
        default: return nil
        }
    }
}

/// The timeouts of a camera or a stream, and the length of the run.
public struct LiveOptions: Hashable, Sendable, Codable {
    /// The timeout of the first connection, including name lookup, handshake and login.
    public var connectionTimeout = Duration.seconds(10)
    /// The silence after which the connection counts as lost; longer than HLS segments, commonly 6 s.
    public var silenceTimeout = Duration.seconds(8)
    /// The time without a change after which the picture counts as frozen; nil for no limit. It doubles after each
    /// reconnection without a change.
    package var frozenTimeout: Duration? = .seconds(15)
    /// The longest pause between two attempts to reconnect; the first pause is a quarter of it.
    package var longestPause = Duration.seconds(1)
    /// The time to try to reconnect before reading fails; nil for no limit.
    public var givesUpAfter: Duration?
    /// The length of the run from its first frame; nil to read until the caller stops.
    public var duration: Duration?

    /// Allows 10 s for the first connection and 8 s between frames, and reconnects without limit.
    public init() {}
}
