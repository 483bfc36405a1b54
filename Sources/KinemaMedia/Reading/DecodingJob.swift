internal import Foundation
internal import KinemaCore
internal import Synchronization

/// Decodes one input on a thread of its own, a few frames ahead of the consumer.
final class DecodingJob: Sendable {
    /// What is known about the stream before its frames are read.
    let description: StreamDescription
    private let input: MediaInput
    private let threads: Int
    private let diagnostics: DiagnosticCollector?
    /// Nil when the input is opened anew for reading. The thread holds the lock as long as it decodes.
    private let decoder: Mutex<VideoDecoder?>
    private let cancellation: CancellationFlag
    private let channel: FrameChannel<VideoFrame>
    private let isStarted = Atomic<Bool>(false)
    private let sent = Atomic<Int>(0)

    /// Frames decoded so far.
    var framesSent: Int { sent.load(ordering: .relaxed) }

    /// Opens the input, which blocks. With `keepsOpen` false it is closed again and reopened for reading.
    init(_ input: MediaInput, options: ReadingOptions, keepsOpen: Bool, cancellation: CancellationFlag) throws {
        self.input = input
        self.cancellation = cancellation
        threads = options.decodingThreads
        diagnostics = options.diagnostics
        channel = FrameChannel(capacity: options.framesAhead)
        let opened = try VideoDecoder(
            input, threads: threads, cancellation: cancellation, diagnostics: keepsOpen ? diagnostics : nil)
        description = StreamDescription(opened)
        decoder = Mutex(keepsOpen ? opened : nil)
    }

    /// Starts the thread; false when it was started before.
    func start() -> Bool {
        guard !isStarted.exchange(true, ordering: .relaxed) else { return false }
        let thread = Thread { self.run() }
        thread.name = "kinema.decode"
        thread.start()
        return true
    }

    /// Ends the decoding soon, wherever it is; frees the frames that nobody took.
    func cancel() {
        cancellation.raise()
        channel.cancel()
    }

    func next() async throws -> VideoFrame? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await channel.next()
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
                    ?? VideoDecoder(
                        input, threads: threads, cancellation: cancellation, diagnostics: diagnostics)
                while let frame = try opened.next() {
                    sent.add(1, ordering: .relaxed)
                    guard channel.send(frame) else { return }
                }
                channel.finish(.success(()))
            } catch {
                channel.finish(.failure(error))
            }
        }
    }
}

/// How an input is read.
struct ReadingOptions: Sendable {
    /// Frames decoded before they are asked for.
    var framesAhead = 4
    /// Threads inside the decoder.
    var decodingThreads = 1
    var diagnostics: DiagnosticCollector?
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

    init(_ decoder: VideoDecoder) {
        let facts = decoder.facts
        input = decoder.input
        (width, height) = decoder.displayedSize
        timescale = facts.isPicture ? 1 : facts.timescale
        frameRate = facts.isPicture ? 0 : facts.frameRate ?? 0
        duration = facts.isPicture ? 1 : facts.duration ?? 0
        expectedFrameCount = facts.expectedFrameCount
    }
}
