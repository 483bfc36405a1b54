internal import KinemaCore

/// The input of a decoder process: the file at its descriptor, a stream, or pictures that are sent to it.
struct DecoderRequest: Codable {
    struct Size: Codable {
        var width: Int
        var height: Int
    }

    var source: String
    var isStandardInput = false
    var stream: StreamRequest?
    var pictures: Size?
    var decodingThreads = 1
    var decoding = DecodingChoice.software
    var part: PartStart?
    var limits: ReadingLimits
    var live = LiveOptions()
    /// Bytes of memory for pictures.
    var sharedMemory = 0
    var ownMemory = 0
}

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

struct ConnectAnswer: Codable {
    var address: String?
    var failure: KinemaError?
}
