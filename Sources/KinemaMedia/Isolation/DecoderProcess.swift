internal import Foundation
internal import KinemaCore
internal import Synchronization

/// Reads a file that a process of its own decodes. Synchronous; for one thread.
///
/// What that process tells is checked; when it crashes, hangs or takes too much, reading ends with an error.
final class DecoderProcess: FrameDecoding {
    let description: StreamDescription
    private let input: MediaInput
    private let options: ReadingOptions
    private let limits: DecoderLimits
    private let cancellation: CancellationFlag
    private let child: DecoderProcessHandle
    private let memory: SharedMemoryHandle
    /// Numbers of pictures nobody looks at any more.
    private let free = FreedPictures()
    private var asked = 0
    private var lastStart = -1
    private var lastTime: Double?
    private var isOver = false

    /// How often a wait checks for cancellation.
    private static let pollInterval = Duration.milliseconds(50)

    /// Starts the process and waits until it has decoded the first picture, so that unreadable input fails here.
    init(
        _ input: MediaInput, _ options: ReadingOptions, executable: String, cancellation: CancellationFlag,
        limits: DecoderLimits = DecoderLimits()
    ) throws {
        (self.input, self.options, self.limits, self.cancellation) = (input, options, limits, cancellation)
        let file = try GivenFile(input)
        defer { file.close() }
        memory = try SharedMemoryHandle(size: options.limits.sharedMemory)
        child = try DecoderProcessHandle(
            executable: executable, input: file.descriptor, scratch: file.scratch, memory: memory, source: input.source)
        let request = DecoderRequest(
            source: input.source, isStandardInput: input == .standardInput, decodingThreads: options.decodingThreads,
            limits: options.limits, sharedMemory: memory.size, duration: options.live.duration.map { $0 / .seconds(1) },
            ownMemory: limits.ownMemory)
        guard let message = DecoderMessageKind.open.message(request), child.channel.send(message) else {
            throw Self.died(child, input, at: nil)
        }
        var opened: StreamDescription?
        while opened == nil {
            let message = try Self.await(child, input, limits, cancellation, at: nil)
            switch message.kind {
            case .opened:
                let stream = try? JSONDecoder().decode(DecodedStream.self, from: Data(message.payload))
                opened = stream?.description(of: input, options.limits)
                guard opened != nil else { throw Self.lied(input) }
            case .failed: throw Self.failure(message, input)
            case .diagnostic: Self.report(message, options.diagnostics)
            default: throw Self.lied(input)
            }
        }
        guard let opened else { throw Self.lied(input) }
        description = opened
    }

    /// Returns the next frame, or nil after the last one. Throws CancellationError when cancelled.
    func next() throws -> VideoFrame? {
        guard !isOver else { return nil }
        let wanted = DecoderLimits.picturesAhead - asked
        asked += wanted
        _ = child.channel.send(DecoderMessageKind.take.message(WireNumbers.bytes([wanted] + free.take())))
        while true {
            let message = try Self.await(child, input, limits, cancellation, at: lastTime)
            switch message.kind {
            case .picture:
                asked -= 1
                return try frame(message)
            case .diagnostic: Self.report(message, options.diagnostics)
            case .ended:
                isOver = true
                child.end()
                return nil
            case .failed:
                isOver = true
                throw Self.failure(message, input)
            default: throw Self.lied(input)
            }
        }
    }

    private func frame(_ message: DecoderChannelHandle.Message) throws -> VideoFrame {
        guard let picture = PictureMessage(message.payload[...]) else { throw Self.lied(input) }
        let owner = SharedBlock { [free, memory] in
            free.add(picture.number)
            withExtendedLifetime(memory) {}
        }
        guard let decoded = DecodedPicture(picture, in: memory, limits: options.limits, owner: owner),
            picture.start > lastStart
        else { throw Self.lied(input) }
        lastStart = picture.start
        lastTime = Double(picture.start) / Double(picture.timescale)
        let id = TemporalSegmentIdentifier(
            source: input.source, range: picture.start..<picture.end, timescale: picture.timescale)
        return VideoFrame(decoded, id: id)
    }

    /// Waits for the next message but heartbeats. Ends a process that computes or says nothing for too long.
    private static func await(
        _ child: DecoderProcessHandle, _ input: MediaInput, _ limits: DecoderLimits, _ cancellation: CancellationFlag,
        at time: Double?
    ) throws -> DecoderChannelHandle.Message {
        var lastSign = MonotonicClock.now
        let used = child.processorTime ?? .zero
        while true {
            switch child.channel.receive(within: pollInterval) {
            case .message(let message) where message.kind == .heartbeat: lastSign = MonotonicClock.now
            case .message(let message): return message
            case .closed: throw died(child, input, at: time)
            case .invalid: throw lied(input)
            case .nothing:
                if cancellation.isRaised {
                    child.end()
                    throw CancellationError()
                }
                if MonotonicClock.now - lastSign > limits.silence {
                    throw ended(child, input, "the decoder does not answer any more", at: time)
                }
            }
            if let now = child.processorTime, now - used > limits.timeForPicture {
                let seconds = Int(limits.timeForPicture / .seconds(1))
                throw ended(child, input, "no picture came after \(seconds) s of computing", at: time)
            }
        }
    }

    // MARK: Failures

    private static func failure(_ message: DecoderChannelHandle.Message, _ input: MediaInput) -> any Error {
        guard let failure = try? JSONDecoder().decode(FailureMessage.self, from: Data(message.payload)) else {
            return lied(input)
        }
        return failure.error
    }

    private static func report(_ message: DecoderChannelHandle.Message, _ diagnostics: DiagnosticCollector?) {
        guard let finding = try? JSONDecoder().decode(Diagnostic.self, from: Data(message.payload)) else { return }
        diagnostics?.report(finding)
    }

    private static func ended(
        _ child: DecoderProcessHandle, _ input: MediaInput, _ reason: String, at time: Double?
    ) -> KinemaError {
        child.end()
        return KinemaError(
            .unreadableInput, "\(reason), so it was ended; the file is damaged or made to do harm", file: input.source,
            time: time)
    }

    /// Why the process is gone.
    private static func died(_ child: DecoderProcessHandle, _ input: MediaInput, at time: Double?) -> KinemaError {
        let reason =
            switch child.endingSignal() {
            case SIGSYS: "the decoder tried what no decoder may do and was ended"
            case SIGKILL: "the system ended the decoder, probably for want of memory"
            case let signal?: "the decoder crashed or ran out of memory (signal \(signal))"
            case nil: "the decoder ended before the file did"
            }
        return KinemaError(
            .unreadableInput, "\(reason); the file is damaged or made to do harm", file: input.source, time: time)
    }

    private static func lied(_ input: MediaInput) -> KinemaError {
        KinemaError(
            .unreadableInput, "the decoder gave pictures that cannot be; the file is damaged or made to do harm",
            file: input.source)
    }
}

/// Pictures that are to be given back to the decoder.
final class FreedPictures: Sendable {
    private let numbers = Mutex<[Int]>([])

    func add(_ number: Int) {
        numbers.withLock { $0.append(number) }
    }

    /// Those given back since the last call.
    func take() -> [Int] {
        numbers.withLock { numbers in
            defer { numbers = [] }
            return numbers
        }
    }
}

