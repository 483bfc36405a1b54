/// What a camera or a stream is doing.
public enum LiveState: Hashable, Sendable {
    /// It is being reached for the first time.
    case connecting
    /// Frames are coming.
    case live
    /// It was lost, for the reason told in words, and is tried again until it is back.
    case reconnecting(reason: String)
}

/// How long a camera or a stream is waited for, and when its reading ends by itself.
public struct LiveOptions: Hashable, Sendable {
    /// How long the first connection may take until it counts as failed, name, handshake and password included.
    public var connectionTimeout = Duration.seconds(10)
    /// How long nothing may come until the connection counts as lost; longer than the pause between two segments of
    /// HLS, which are commonly 6 s.
    public var silenceTimeout = Duration.seconds(8)
    /// How long the picture may stay the same in every pixel until the source counts as stuck; nil never.
    ///
    /// A picture that is the same again after the reconnection is a still scene, so each next wait is twice as long.
    public var frozenTimeout: Duration? = .seconds(15)
    /// The longest pause between two tries to reconnect; the first is a quarter of it.
    public var longestPause = Duration.seconds(1)
    /// How long reconnecting is tried before the reading fails; nil for as long as it takes.
    public var givesUpAfter: Duration?
    /// The length of the run from its first frame; nil until the caller stops.
    public var duration: Duration?

    /// Waits 10 s for the first connection, 8 s for a frame, and reconnects for as long as it takes.
    public init() {}
}
