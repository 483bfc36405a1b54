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
