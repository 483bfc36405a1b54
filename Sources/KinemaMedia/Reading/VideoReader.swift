public import Foundation
public import KinemaCore

/// Reads the frames of videos and pictures, in order and with exact time.
public struct VideoReader: Sendable {
    /// Makes a reader.
    public init() {}

    /// Opens a video or picture file.
    ///
    /// Throws `KinemaError` with code `unreadableInput` when the file is missing, damaged or holds no picture.
    public static func read(contentsOf url: URL) async throws -> AsyncFrames {
        try await read(.file(url))
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

    /// Opens a video or picture from a file or from standard input; findings such as repaired timestamps go to
    /// `diagnostics` when the reading ends.
    ///
    /// Throws `KinemaError` with code `unreadableInput` when the input is missing, damaged or holds no picture.
    public static func read(_ input: MediaInput, diagnostics: DiagnosticCollector? = nil) async throws -> AsyncFrames {
        try await open(input, options: ReadingOptions(diagnostics: diagnostics), keepsOpen: true)
    }

    /// Opens on a thread of its own, because opening blocks.
    static func open(_ input: MediaInput, options: ReadingOptions, keepsOpen: Bool) async throws -> AsyncFrames {
        let cancellation = CancellationFlag()
        do {
            return try await withTaskCancellationHandler {
                try await openOnThread(input, options: options, keepsOpen: keepsOpen, cancellation: cancellation)
            } onCancel: {
                cancellation.raise()
            }
        } catch  where cancellation.isRaised {
            throw CancellationError()
        }
    }

    private static func openOnThread(
        _ input: MediaInput, options: ReadingOptions, keepsOpen: Bool, cancellation: CancellationFlag
    ) async throws -> AsyncFrames {
        let job = try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    with: Result {
                        try DecodingJob(input, options: options, keepsOpen: keepsOpen, cancellation: cancellation)
                    })
            }
            thread.name = "kinema.open"
            thread.start()
        }
        return AsyncFrames(job)
    }
}
