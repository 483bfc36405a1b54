/// The state of the connection to a camera or a stream.
public enum ConnectionState: Hashable, Sendable, Codable {
    /// The first connection is being made.
    case connecting
    /// Frames are arriving.
    case live
    /// The connection was lost for this reason, a message for the user, and is being retried.
    case reconnecting(reason: String)
}
