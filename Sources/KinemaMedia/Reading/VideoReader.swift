public import Foundation
public import KinemaCore
import Synchronization

/// Reads the frames of videos and images, in order and with exact times.
public struct VideoReader: Sendable {
    /// Creates a reader.
    public init() {}

    /// Opens a video or image file, or a stream for an `rtsp:` or `http(s):` address.
    ///
    /// Throws `unreadableInput` when the file is missing, damaged or contains no frame.
    public static func read(contentsOf url: URL) async throws -> AsyncFrames {
        try await read(url.isFileURL || url.scheme == nil ? .file(url) : .stream(StreamAddress(url.absoluteString)))
    }

    /// Opens several video or image files; each is read when it is iterated.
    ///
    /// Throws `unreadableInput` for the first file that is missing, damaged or contains no frame.
    public static func read<S: Sequence>(_ files: S) async throws -> [AsyncFrames] where S.Element == URL {
        var sequences: [AsyncFrames] = []
        for url in Array(files) {
            // Closed until it is read, so that many files do not use up the file descriptors.
            sequences.append(try await open(.file(url), options: ReadingOptions(), keepsOpen: false))
        }
        return sequences
    }

    /// Opens a file, standard input, a camera or a stream.
    ///
    /// `diagnostics` receives findings, such as repaired timestamps or dropped frames, when reading ends. `live` has
    /// the
    /// timeouts of cameras and streams. The reading thread calls `onState` when the connection changes. Throws
    /// `unreadableInput` when the input is missing, damaged, has no frame or does not answer.
    public static func read(
        _ input: MediaInput, live: LiveOptions = LiveOptions(), diagnostics: DiagnosticCollector? = nil,
        onState: (@Sendable (ConnectionState) -> Void)? = nil
    ) async throws -> AsyncFrames {
        try await read(input, isolation: .none, live: live, diagnostics: diagnostics, onState: onState)
    }

    package static func read(
        _ input: MediaInput, limits: ReadingLimits = ReadingLimits(), isolation: DecoderIsolation,
        orientation: PixelOrientation = .upright, timing: FrameTiming = .tagged,
        selection: FrameSelection = .all, keepsSkipped: Bool = false, live: LiveOptions = LiveOptions(),
        diagnostics: DiagnosticCollector? = nil,
        onState: (@Sendable (ConnectionState) -> Void)? = nil
    ) async throws -> AsyncFrames {
        let options = ReadingOptions(
            limits: limits, live: live, isolation: isolation, orientation: orientation, selection: selection,
            keepsSkipped: keepsSkipped && selection.isDense, timing: timing, diagnostics: diagnostics, onState: onState)
        return try await open(input, options: options, keepsOpen: true)
    }

    /// Passes the frames of a file to `body` on this thread, until it returns false.
    package static func forEachFrame(of url: URL, _ body: (VideoFrame) throws -> Bool) throws {
        let decoder = try VideoDecoder(url)
        while let frame = try decoder.next(), try body(frame) {}
    }

    /// Opens on a separate thread, because opening blocks.
    static func open(_ input: MediaInput, options: ReadingOptions, keepsOpen: Bool) async throws -> AsyncFrames {
        let cancellation = CancellationFlag()
        do {
            if input.isRemote { options.onState?(.connecting) }
            return AsyncFrames(
                try await withTaskCancellationHandler {
                    // A host name lookup cannot be interrupted, so cancelling does not wait for it.
                    try await Promise.onThread("kinema.open") {
                        try DecodingJob(input, options: options, keepsOpen: keepsOpen, cancellation: cancellation)
                    }
                } onCancel: {
                    cancellation.raise()
                })
        } catch  where cancellation.isRaised {
            throw CancellationError()
        }
    }
}

extension VideoReader: Transformer {
    /// The frames of one video or image file, the same as `read(contentsOf:)`.
    public func applied(to input: URL, eventHandler: EventHandler? = nil) async throws -> AsyncFrames {
        try await Self.read(contentsOf: input)
    }

    /// Opens several annotated video or image files and keeps the annotations; each is read when it is iterated.
    ///
    /// Throws `unreadableInput` for the first file that is missing, damaged or contains no frame.
    public static func read<S, Annotation>(_ files: S) async throws -> [AnnotatedFeature<AsyncFrames, Annotation>]
    where S: Sequence, S.Element == AnnotatedFeature<URL, Annotation> {
        let files = Array(files)
        return zip(try await read(files.map(\.feature)), files).map { frames, file in
            AnnotatedFeature(feature: frames, annotation: file.annotation)
        }
    }
}

/// A value that one side provides and one task waits for; only the first value counts.
final class Promise<Value: Sendable>: Sendable {
    private struct State: ~Copyable {
        var result: Result<Value, any Error>?
        var waiter: CheckedContinuation<Value, any Error>?
    }

    private let state = Mutex(State())

    /// The result of work that blocks, on a thread of its own.
    static func onThread(_ name: String, _ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let promise = Promise()
        Thread.start(name) { promise.fulfil(Result { try work() }) }
        return try await promise.value
    }

    /// Sets the value or the failure, unless one was set before.
    func fulfil(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.waiter.take()
        }
        waiter?.resume(with: result)
    }

    /// The value, once it is set; throws CancellationError as soon as the task is cancelled. For one task.
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
