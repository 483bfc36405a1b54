/// How long to wait for a camera or a stream, and how long to read it.
public struct LiveOptions: Hashable, Sendable, Codable {
    /// How long the first connection may take, including name lookup, handshake and login.
    public var connectionTimeout = Duration.seconds(10)
    /// How long nothing may arrive before the connection counts as lost; longer than the pause between two HLS
    /// segments, commonly 6 s.
    public var silenceTimeout = Duration.seconds(8)
    /// How long the picture may stay identical before the source counts as frozen; nil for no limit.
    ///
    /// If the picture is still the same after reconnecting, the scene is still, so each further wait doubles.
    package var frozenTimeout: Duration? = .seconds(15)
    /// The longest pause between two attempts to reconnect; the first pause is a quarter of it.
    package var longestPause = Duration.seconds(1)
    /// How long to try to reconnect before reading fails; nil for no limit.
    public var givesUpAfter: Duration?
    /// The length of the run from its first frame; nil to read until the caller stops.
    public var duration: Duration?

    /// Allows 10 s for the first connection and 8 s between frames, and reconnects without limit.
    public init() {}
}
