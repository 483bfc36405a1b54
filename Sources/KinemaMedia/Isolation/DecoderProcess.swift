internal import Foundation
internal import KinemaCore
internal import Synchronization

/// The parent's side of a decoder process: checks every message, throws on crashes and hangs. For one thread.
final class DecoderProcess {
    let memory: SharedMemoryHandle
    private let source: String
    private let limits: DecoderLimits
    private let pictures: ReadingLimits
    private let cancellation: CancellationFlag
    private let child: DecoderProcessHandle
    /// The part of the process's processor time already reported to `StageTimes`.
    private var reported = Duration.zero

    /// The interval of cancellation checks in a wait.
    private static let pollInterval = Duration.milliseconds(50)

    init(
        executable: String, _ request: DecoderRequest, file: GivenFile?, cancellation: CancellationFlag,
        limits: DecoderLimits = DecoderLimits()
    ) throws(KinemaError) {
        (source, self.limits, pictures, self.cancellation) = (request.source, limits, request.limits, cancellation)
        memory = try SharedMemoryHandle(size: request.limits.sharedMemory)
        child = try DecoderProcessHandle(executable: executable, file: file, memory: memory, source: source)
        var request = request
        (request.sharedMemory, request.ownMemory) = (memory.size, limits.ownMemory)
        guard let message = DecoderMessageKind.open.message(json: request), send(message) else { throw died(at: nil) }
    }

    /// Sends a message; false when the process is gone, which the next wait reports.
    @discardableResult
    func send(_ message: [UInt8]) -> Bool { child.channel.send(message) }

    /// Requests more pictures, and returns those that are no longer in use.
    func take(_ count: Int) {
        let freed = memory.freed.withLock { freed in
            defer { freed = [] }
            return freed
        }
        send(DecoderMessageKind.take.message(WireNumbers.bytes([count] + freed)))
    }

    /// Waits for the next message other than a heartbeat; ends a process that computes too long or stays silent. With
    /// `isComplete`, the whole wait is limited too.
    func receive(at time: Double? = nil, isComplete: Bool = true) throws -> DecoderChannelHandle.Message {
        let began = MonotonicClock.now
        var lastSign = began
        let used = child.processorTime ?? .zero
        while true {
            switch child.channel.receive(within: Self.pollInterval) {
            case .message(let message) where message.kind == .heartbeat: lastSign = MonotonicClock.now
            case .message(let message): return message
            case .closed: throw died(at: time)
            case .invalid: throw protocolViolation()
            case .nothing:
                if cancellation.isRaised {
                    end()
                    throw CancellationError()
                }
                if MonotonicClock.now - lastSign > limits.silence {
                    throw ended("the decoder stopped answering", at: time)
                }
            }
            if isComplete, MonotonicClock.now - began > limits.patience {
                throw ended("no frame arrived within \(Int(limits.patience / .seconds(1))) s", at: time)
            }
            if let now = child.processorTime, now - used > limits.timeForPicture {
                throw ended(
                    "no frame arrived after \(Int(limits.timeForPicture / .seconds(1))) s of computing", at: time)
            }
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, _ message: DecoderChannelHandle.Message) throws(KinemaError)
        -> Value
    {
        guard let value = try? JSONDecoder().decode(type, from: Data(message.payload)) else {
            throw protocolViolation()
        }
        return value
    }

    func picture(_ message: DecoderChannelHandle.Message) throws(KinemaError) -> (DecodedPicture, PictureMessage) {
        guard let described = PictureMessage(message.payload[...]) else { throw protocolViolation() }
        if let used = child.processorTime {
            StageTimes.add(used - reported, to: .decode)
            reported = used
        }
        let owner = SharedBlock { [memory] in memory.freed.withLock { $0.append(described.number) } }
        guard let picture = DecodedPicture(described, in: memory, limits: pictures, owner: owner) else {
            throw protocolViolation()
        }
        return (picture, described)
    }

    func end() { child.end() }

    // MARK: Failures

    /// Ends the process because it sent something that no decoder sends.
    func protocolViolation() -> KinemaError {
        child.end()
        return KinemaError.unreadable("the decoder returned invalid frames; the file is damaged or malicious", source)
    }

    private func ended(_ reason: String, at time: Double?) -> KinemaError {
        child.end()
        return KinemaError(
            .unreadableInput, "\(reason), so it was ended; the file is damaged or malicious", file: source,
            time: time)
    }

    private func died(at time: Double?) -> KinemaError {
        let ending = child.ending()
        if ending.signal == nil, ending.code == DecoderService.ExitCode.missing {
            return KinemaError(
                .missingComponent, "FFmpeg's libraries cannot be loaded; install FFmpeg, or run script/bootstrap",
                file: source)
        }
        let reason =
            switch ending.signal {
            case SIGSYS: "the decoder made a forbidden system call and was ended"
            case SIGKILL: "the system killed the decoder, probably because memory ran out"
            case let signal?: "the decoder crashed or ran out of memory (signal \(signal))"
            case nil: "the decoder ended before its input did"
            }
        return KinemaError(
            .unreadableInput, "\(reason); the file is damaged or malicious", file: source, time: time)
    }
}

package enum DecoderIsolation: Hashable, Sendable {
    case none
    /// In a confined child process that reads one input: the executable at this path, which calls
    /// `DecoderService.runIfAsked`.
    case process(executable: String)

    /// In a child of this executable, if it can be one; else in this process.
    package static var thisExecutable: DecoderIsolation {
        DecoderService.canServe.load(ordering: .relaxed) ? .process(executable: "/proc/self/exe") : .none
    }
}

extension DecoderIsolation {
    /// The kernel's confinement of a decoder process, as text, and whether it suffices.
    package static var confinement: (isSound: Bool, text: String) {
        let support = ConfinementHandle.support
        guard support.filtersSystemCalls else {
            return (false, "the kernel filters no system calls; decoder processes are confined by limits alone")
        }
        let files = support.landlock == 0 ? "" : ", files by Landlock \(support.landlock)"
        let ports = support.landlock >= 4 ? ", ports as well" : ", but not which port a stream's decoder reaches"
        return (true, "system calls filtered\(files)\(ports)")
    }
}

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
