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
    var selection = FrameSelection.all
    var timing = FrameTiming.tagged
    var limits: ReadingLimits
    var live = LiveOptions()
    /// Bytes of memory for pictures.
    var sharedMemory = 0
    var ownMemory = 0
}
