import KinemaCore

/// A decoder process's access to its stream.
struct GateClient: Sendable {
    /// The port on the loopback interface that leads to the stream.
    var port: Int
    /// Requests a connection to an RTSP address; returns the address to open instead.
    var connect: @Sendable (String) throws(KinemaError) -> String
}
