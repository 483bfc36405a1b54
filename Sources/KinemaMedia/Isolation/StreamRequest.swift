/// A stream that a decoder process may reach, or a connection that it requests.
struct StreamRequest: Codable {
    /// With the user and password, if there are any.
    var address: String
    var trustsAnyone = false
    /// The file of the trusted authorities, the only one that the process may open.
    var authorities: String?
    /// The port on the loopback interface that leads to the stream.
    var port = 0
}
