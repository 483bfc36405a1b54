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

extension DecoderIsolation {
    /// What this kernel confines a decoder process with, in words, and whether that is enough to be called confined.
    package static var confinement: (isSound: Bool, text: String) {
        let support = ConfinementHandle.support
        guard support.filtersSystemCalls else {
            return (false, "the kernel filters no system calls; decoder processes are held by limits alone")
        }
        let files = support.landlock == 0 ? "" : ", files by Landlock \(support.landlock)"
        let ports = support.landlock >= 4 ? ", ports as well" : ", but not which port a stream's decoder reaches"
        return (true, "system calls filtered\(files)\(ports)")
    }
}

/// What a decoder process may use before it is ended.
struct DecoderLimits: Hashable, Sendable {
    /// Bytes of its own memory, beside the shared pictures: containers' indexes, codecs' tables. A 100-megapixel PNG takes
    /// 500 MB, two hours of 4K take 80 MB.
    var ownMemory = 1 << 30
    /// Processor time between two pictures. The largest allowed picture takes 3 s to decode on two slow cores.
    var timeForPicture = Duration.seconds(30)
    /// The longest wait for a picture of a file, of which nothing else has to arrive first.
    var patience = Duration.seconds(600)
    /// How long it may say nothing while a picture is awaited; it tells every five seconds that it is there.
    var silence = Duration.seconds(60)

    /// How often a decoder process tells that it is there.
    static let heartbeat = Duration.seconds(5)
    /// Pictures decoded before they are asked for.
    static let picturesAhead = 2
}
