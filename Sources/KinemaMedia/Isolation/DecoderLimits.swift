/// The limits beyond which a decoder process is killed.
struct DecoderLimits: Hashable, Sendable {
    /// Bytes of its own memory, without shared pictures; a 100-megapixel PNG takes 500 MB, two hours of 4K take 80 MB.
    var ownMemory = 1 << 30
    /// Processor time between two pictures. The largest allowed picture takes 3 s to decode on two slow cores.
    var timeForPicture = Duration.seconds(30)
    /// The longest wait for a picture of a file.
    var patience = Duration.seconds(600)
    /// The longest silence while a picture is awaited; heartbeats come every five seconds.
    var silence = Duration.seconds(60)

    /// The limits of a decoder that delivers one of this many frames.
    func waiting(for frames: Int) -> DecoderLimits {
        var limits = self
        (limits.timeForPicture, limits.patience) = (timeForPicture * frames, patience * frames)
        return limits
    }

    static let heartbeat = Duration.seconds(5)
    /// The pictures to decode ahead: of a file several at a time, unless they are large, so that the processes wake
    /// each other less.
    static func picturesAhead(_ stream: StreamDescription, isComplete: Bool) -> Int {
        isComplete && stream.width * stream.height <= 1920 * 1080 ? 6 : 2
    }
}
