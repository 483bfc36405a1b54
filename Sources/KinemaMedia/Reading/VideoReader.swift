public import Foundation
public import KinemaCore

/// Reads the frames of videos and pictures, in order and with exact time.
public struct VideoReader: Sendable {
    /// Makes a reader.
    public init() {}

    /// Opens a video or picture file; an `rtsp:` or `http(s):` address is read as a stream.
    ///
    /// Throws `KinemaError` with code `unreadableInput` when the file is missing, damaged or holds no picture.
    public static func read(contentsOf url: URL) async throws -> AsyncFrames {
        try await read(url.isFileURL || url.scheme == nil ? .file(url) : .stream(StreamAddress(url.absoluteString)))
    }

    /// Opens several video or picture files; each is read when it is iterated.
    ///
    /// Throws `KinemaError` with code `unreadableInput` for the first file that is missing, damaged or holds no picture.
    public static func read<S: Sequence>(_ files: S) async throws -> [AsyncFrames] where S.Element == URL {
        var sequences: [AsyncFrames] = []
        for url in Array(files) {
            // Closed until its turn, so that many files do not use up the descriptors.
            sequences.append(try await open(.file(url), options: ReadingOptions(), keepsOpen: false))
        }
        return sequences
    }

    /// Opens a file, standard input, a camera or a stream; findings such as repaired timestamps or dropped frames go to
    /// `diagnostics` when the reading ends.
    ///
    /// `live` says how long a camera or a stream is waited for, and how long is read at all; `onState` is told, from the
    /// thread that reads, whenever such a source begins to be reached, is there, or is lost and tried again.
    /// Throws `KinemaError` with code `unreadableInput` when the input is missing, damaged or holds no picture, or does not
    /// answer.
    public static func read(
        _ input: MediaInput, live: LiveOptions = LiveOptions(), diagnostics: DiagnosticCollector? = nil,
        onState: (@Sendable (LiveState) -> Void)? = nil
    ) async throws -> AsyncFrames {
        try await read(input, limits: ReadingLimits(), live: live, diagnostics: diagnostics, onState: onState)
    }

    /// The same within other limits of size and memory.
    package static func read(
        _ input: MediaInput, limits: ReadingLimits, live: LiveOptions = LiveOptions(),
        diagnostics: DiagnosticCollector? = nil, onState: (@Sendable (LiveState) -> Void)? = nil
    ) async throws -> AsyncFrames {
        let options = ReadingOptions(limits: limits, live: live, diagnostics: diagnostics, onState: onState)
        return try await open(input, options: options, keepsOpen: true)
    }

    /// Opens on a thread of its own, because opening blocks.
    static func open(_ input: MediaInput, options: ReadingOptions, keepsOpen: Bool) async throws -> AsyncFrames {
        let cancellation = CancellationFlag()
        let answer = FirstAnswer<DecodingJob>()
        do {
            if input.isRemote { options.onState?(.connecting) }
            let thread = Thread {
                answer.give(
                    Result {
                        try DecodingJob(input, options: options, keepsOpen: keepsOpen, cancellation: cancellation)
                    })
            }
            thread.name = "kinema.open"
            thread.start()
            return AsyncFrames(
                try await withTaskCancellationHandler {
                    try await answer.wait()
                } onCancel: {
                    cancellation.raise()
                    // Nothing interrupts the search for a host's name, so nobody waits for its end.
                    answer.give(.failure(CancellationError()))
                })
        } catch  where cancellation.isRaised {
            throw CancellationError()
        }
    }
}
