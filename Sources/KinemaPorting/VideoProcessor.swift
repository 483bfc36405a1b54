public import Foundation
public import KinemaCore
import KinemaMedia
public import KinemaVision
import Synchronization

/// Performs requests on the frames of a video file, as Vision's Swift API does; each request has a stream of results.
public final class VideoProcessor: Sendable {
    /// Which frames a request analyses.
    public enum Cadence: Sendable, Hashable {
        /// Every nth frame.
        case frameInterval(Int)
        /// Frames at least this far apart.
        case timeInterval(CMTime)

        fileprivate func isDue(frame: Int, after last: TimeInterval?, at time: TimeInterval) -> Bool {
            switch self {
            case .frameInterval(let count): frame % max(1, count) == 0
            // The tolerance keeps rounding from skipping a frame at exactly the spacing.
            case .timeInterval(let spacing): last.map { time - $0 >= spacing.seconds - 1e-6 } ?? true
            }
        }
    }

    private struct Entry: Sendable {
        let cadence: Cadence?
        let perform: @Sendable (VideoFrame) async -> Void
        let finish: @Sendable ((any Error)?) -> Void
    }

    private let url: URL
    private let entries = Mutex<[Entry]>([])
    private let work = Mutex<Task<Void, Never>?>(nil)

    /// Makes a processor for a video file, which `startAnalysis(of:)` opens.
    public init(_ url: URL) { self.url = url }

    deinit { work.withLock { $0?.cancel() } }

    /// Adds a request before the analysis starts, for every frame without a cadence.
    ///
    /// The stream ends with the video. It throws the request's error, `.unreadableInput` for a file that cannot be read,
    /// and `CancellationError` after `cancel()`.
    public func addRequest<Request: ImageProcessingRequest>(
        _ request: Request, cadence: Cadence? = nil
    ) async throws -> AsyncThrowingStream<Request.Result, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Request.Result.self)
        let entry = Entry(cadence: cadence) { frame in
            do { continuation.yield(try await request.perform(on: frame)) } catch {
                continuation.finish(throwing: error)
            }
        } finish: {
            continuation.finish(throwing: $0)
        }
        entries.withLock { $0.append(entry) }
        return stream
    }

    /// Analyses the frames of a time range, or all, in the background.
    public func startAnalysis(of timeRange: CMTimeRange? = nil) {
        let (url, entries) = (url, entries.withLock { $0 })
        let start = timeRange.map { $0.start.isNumeric ? $0.start.seconds : 0 } ?? 0
        let end = timeRange.map { $0.end.isNumeric ? $0.end.seconds : .infinity } ?? .infinity
        let task = Task {
            var failure: (any Error)?
            var last = [TimeInterval?](repeating: nil, count: entries.count)
            do {
                var count = 0
                for try await element in try await VideoReader.read(contentsOf: url) {
                    try Task.checkCancellation()
                    let frame = element.feature
                    guard frame.time < end else { break }
                    guard frame.time >= start else { continue }
                    for (index, entry) in entries.enumerated()
                    where entry.cadence?.isDue(frame: count, after: last[index], at: frame.time) ?? true {
                        last[index] = frame.time
                        await entry.perform(frame)
                    }
                    count += 1
                }
            } catch { failure = error }
            for entry in entries { entry.finish(failure) }
        }
        work.withLock { work in
            work?.cancel()
            work = task
        }
    }

    /// Ends the analysis before its next frame.
    public func cancel() { work.withLock { $0?.cancel() } }
}
