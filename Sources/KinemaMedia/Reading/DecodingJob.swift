internal import Foundation
internal import KinemaCore
internal import Synchronization

/// Decodes one input on a separate thread: a file a few frames ahead of the consumer, a live source as frames arrive.
final class DecodingJob: Sendable {
    let description: StreamDescription
    let input: MediaInput
    private let options: ReadingOptions
    /// The frames that are analysed, of all frames of the input.
    let step: FrameStep
    /// Whether the other frames of a file are delivered as well.
    let keepsSkipped: Bool
    /// Nil when the input is opened anew for reading. The thread holds the lock as long as it decodes.
    private let decoder: Mutex<(any FrameDecoding)?>
    private let cancellation: CancellationFlag
    private let channel: FrameChannel<VideoFrame>
    private let isStarted = Atomic<Bool>(false)
    private let isSettled = Atomic<Bool>(false)

    var orientation: PixelOrientation { options.orientation }
    var timing: FrameTiming { options.timing }
    var tally: FrameTally { channel.tally }

    /// Opens the input, which blocks. With `keepsOpen` false it is closed again and reopened for reading.
    init(_ input: MediaInput, options: ReadingOptions, keepsOpen: Bool, cancellation: CancellationFlag) throws {
        (self.input, self.options, self.cancellation) = (input, options, cancellation)
        var opening = options
        if !keepsOpen { opening.diagnostics = nil }
        let opened = try FrameDecoder.open(input, opening.delivering, cancellation: cancellation)
        step = FrameStep(options.selection, opened.description)
        keepsSkipped = options.keepsSkipped && !opened.description.isLive && !step.takesAll
        description = opened.description.turned(options.orientation, every: keepsSkipped ? 1 : step.factor)
        let ahead = options.limits.picturesAhead(
            width: description.width, height: description.height, wanted: options.framesAhead)
        channel = description.isLive ? FrameChannel(.newest) : FrameChannel(.bounded(ahead))
        decoder = Mutex(keepsOpen ? opened : nil)
    }

    func start() -> Bool {
        guard !isStarted.exchange(true, ordering: .relaxed) else { return false }
        Thread.start("kinema.decode") { self.run() }
        return true
    }

    /// Opens a part of the file, which blocks; the job's own decoding is unaffected.
    func open(_ part: PartStart, isReported: Bool) throws -> PartReader {
        var options = options
        options.part = part
        if !isReported { options.diagnostics = nil }
        let opened = try FrameDecoder.open(input, options, cancellation: cancellation)
        return PartReader(opened, orientation: options.orientation)
    }

    /// Whether the input could be read in parts: a file, every frame to its end.
    var canBeParted: Bool {
        guard case .file = input else { return false }
        return !description.isLive && description.duration > 0 && step.isPositional && options.live.duration == nil
    }

    /// The most frames to keep in memory until the next analysed one is known.
    var mostKept: Int {
        options.limits.picturesAhead(width: description.width, height: description.height, wanted: Self.usuallyKept)
    }

    /// The frames between two analysed ones of a recording at 240 frames/s.
    private static let usuallyKept = 16

    func report(_ diagnostic: Diagnostic) { options.diagnostics?.report(diagnostic) }

    /// Ends the decoding soon; drops the frames that were not read.
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
                let opened = try decoder ?? FrameDecoder.open(input, options.delivering, cancellation: cancellation)
                var step = step
                // A stream is known to be live only once it is open.
                let selects = options.keepsSkipped && !keepsSkipped
                while let frame = try opened.next() {
                    guard !selects || step.takes(frame.id) else { continue }
                    guard channel.sendBlocking(try frame.oriented(options.orientation)) else { return }
                }
                channel.finish()
            } catch {
                channel.finish(.failure(error))
            }
        }
    }

    /// Reports, once and after the last frame, the tally of a live source's frames.
    private func settle() {
        guard description.isLive, !isSettled.exchange(true, ordering: .relaxed) else { return }
        let tally = tally
        options.diagnostics?.report(
            Diagnostic(
                "live.frames", "\(tally.arrived) frames arrived: \(tally.analysed) analysed, \(tally.dropped) dropped",
                file: input.source))
    }
}
