internal import Synchronization

/// Where media from outside is decoded.
package enum DecoderIsolation: Hashable, Sendable {
    /// In this process.
    case none
    /// In a child process that reads one input and can do nothing else: the executable at this path, which calls
    /// `DecoderService.runIfAsked` first of all.
    case process(executable: String)

    /// In a child of this very executable, if it can be one; else in this process.
    package static var thisExecutable: DecoderIsolation {
        DecoderService.canServe.load(ordering: .relaxed) ? .process(executable: "/proc/self/exe") : .none
    }
}

/// What a decoder process may use before it is ended.
struct DecoderLimits: Hashable, Sendable {
    /// Bytes of its own memory, beside the shared pictures: containers' indexes, codecs' tables. A 100-megapixel PNG takes
    /// 500 MB, two hours of 4K take 80 MB.
    var ownMemory = 1 << 30
    /// Processor time between two pictures. The largest allowed picture takes 3 s to decode on two slow cores.
    var timeForPicture = Duration.seconds(30)
    /// How long it may say nothing while a picture is awaited; it tells every five seconds that it is there.
    var silence = Duration.seconds(60)

    /// How often a decoder process tells that it is there.
    static let heartbeat = Duration.seconds(5)
    /// Pictures decoded before they are asked for.
    static let picturesAhead = 2
}
