internal import Foundation
internal import KinemaCore
internal import Synchronization

/// Decodes one input on a thread of its own: of a file a few frames ahead of the consumer, of a live source as they come.
final class DecodingJob: Sendable {
    /// What is known about the stream before its frames are read.
    let description: StreamDescription
    private let input: MediaInput
    private let options: ReadingOptions
    /// Nil when the input is opened anew for reading. The thread holds the lock as long as it decodes.
    private let decoder: Mutex<(any FrameDecoding)?>
    private let cancellation: CancellationFlag
    private let channel: FrameChannel<VideoFrame>
    private let isStarted = Atomic<Bool>(false)
    private let isSettled = Atomic<Bool>(false)
    private let sent = Atomic<Int>(0)

    /// Frames decoded so far.
    var framesSent: Int { sent.load(ordering: .relaxed) }
    /// What became of the frames so far.
    var tally: FrameTally { channel.tally }

    /// Opens the input, which blocks. With `keepsOpen` false it is closed again and reopened for reading.
    init(_ input: MediaInput, options: ReadingOptions, keepsOpen: Bool, cancellation: CancellationFlag) throws {
        self.input = input
        self.options = options
        self.cancellation = cancellation
        let opened = try FrameDecoder.open(
            input, options, cancellation: cancellation, diagnostics: keepsOpen ? options.diagnostics : nil)
        description = opened.description
        channel =
            description.isLive
            ? FrameChannel(.newest) : FrameChannel(.bounded(Self.framesAhead(description, options)))
        decoder = Mutex(keepsOpen ? opened : nil)
    }

    private static func framesAhead(_ stream: StreamDescription, _ options: ReadingOptions) -> Int {
        options.limits.picturesAhead(width: stream.width, height: stream.height, wanted: options.framesAhead)
    }

    /// Starts the thread; false when it was started before.
    func start() -> Bool {
        guard !isStarted.exchange(true, ordering: .relaxed) else { return false }
        let thread = Thread { self.run() }
        thread.name = "kinema.decode"
        thread.start()
        return true
    }

    /// Ends the decoding soon, wherever it is; drops the frames that were not read.
    func cancel() {
        cancellation.raise()
        channel.cancel()
        settle()
    }

    func next() async throws -> VideoFrame? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            let frame = try await channel.next()
            if frame == nil { settle() }
            return frame
        } onCancel: {
            cancel()
        }
    }

    private func run() {
        decoder.withLock { decoder in
            defer { decoder = nil }
            do {
                let opened =
                    try decoder
                    ?? FrameDecoder.open(
                        input, options, cancellation: cancellation, diagnostics: options.diagnostics)
                while let frame = try opened.next() {
                    sent.add(1, ordering: .relaxed)
                    guard channel.sendBlocking(frame) else { return }
                }
                channel.finish()
            } catch {
                channel.finish(.failure(error))
            }
        }
    }

    /// Reports, once and after the last frame, what became of a live source's frames.
    private func settle() {
        guard description.isLive, !isSettled.exchange(true, ordering: .relaxed) else { return }
        let tally = tally
        options.diagnostics?.report(
            Diagnostic(
                "live.frames", "\(tally.arrived) frames came: \(tally.analysed) analysed, \(tally.dropped) dropped",
                file: input.source))
    }
}

/// How an input is read.
struct ReadingOptions: Sendable {
    /// Frames decoded before they are asked for, beside the two that a decoder process has ready; live sources have none.
    var framesAhead = 2
    /// Threads inside the decoder.
    var decodingThreads = 1
    var limits = ReadingLimits()
    var live = LiveOptions()
    /// Where files from outside are decoded.
    var isolation = DecoderIsolation.none
    /// By what videos are decoded.
    var decoding = DecodingChoice.software
    /// The device of that choice, once its driver has been started.
    var device: HardwareDeviceHandle?
    /// Where decoded pictures are put, in a decoder process; nil for its own memory.
    var memory: SharedPictureMemory?
    /// The input's descriptors, in a decoder process; nil to open it.
    var given: GivenFile?
    /// The way to a stream, in a decoder process; nil for the network.
    var gate: GateClient?
    var diagnostics: DiagnosticCollector?
    /// Called with what a live source is doing.
    var onState: (@Sendable (ConnectionState) -> Void)?
}

/// What is known about a stream before its frames are read.
struct StreamDescription: Sendable {
    var input: MediaInput
    var width: Int
    var height: Int
    var frameRate: Double
    var timescale: Int
    var duration: Double
    var expectedFrameCount: Int?
    var isLive: Bool
}

/// A value that one side gives and one task waits for; the first one given counts.
final class Promise<Value: Sendable>: Sendable {
    private struct State: ~Copyable {
        var result: Result<Value, any Error>?
        var waiter: CheckedContinuation<Value, any Error>?
    }

    private let state = Mutex(State())

    /// Gives the value or the failure, unless one was given before.
    func fulfil(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.waiter.take()
        }
        waiter?.resume(with: result)
    }

    /// The value, once it is given; throws CancellationError as soon as the task is cancelled. For one task.
    var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let known = state.withLock { state -> Result<Value, any Error>? in
                        if state.result == nil { state.waiter = continuation }
                        return state.result
                    }
                    if let known { continuation.resume(with: known) }
                }
            } onCancel: {
                fulfil(.failure(CancellationError()))
            }
        }
    }
}
