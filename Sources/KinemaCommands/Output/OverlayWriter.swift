import AsyncAlgorithms
import Foundation
import Kinema
import KinemaDraw
import Synchronization

/// Draws on frames and writes them beside the analysis: one frame is drawn while the next is analysed.
final class OverlayWriter: Sendable {
    private struct Item: Sendable {
        let frame: VideoFrame
        let layers: [OverlayLayer]

        /// The frame with everything drawn on it, in the size of the overlay.
        func bitmap(_ renderer: OverlayRenderer, width: Int, height: Int) throws -> Bitmap {
            var bitmap = try frame.bitmap(width: width, height: height)
            try renderer.draw(layers, on: &bitmap)
            return bitmap
        }
    }

    /// Keeps the writer's failure for whoever adds the next frame.
    private final class Failure: Sendable {
        private let error = Mutex<(any Error)?>(nil)

        func set(_ error: any Error) { self.error.withLock { $0 = error } }

        func check() throws {
            if let error = error.withLock({ $0 }) { throw error }
        }
    }

    private let channel = AsyncChannel<Item>()
    private let failure = Failure()
    private let work: Task<Void, Never>

    /// Starts writing to a path: `.png`, `.jpg` for one picture, a video for `.mp4` and names without an ending.
    ///
    /// Throws `invalidArgument` for the ending of another format, which the file would not have.
    init(path: String, timescale: Int) throws {
        let url = URL(filePath: path)
        let ending = url.pathExtension.lowercased()
        guard ["mp4", "m4v", "png", "jpg", "jpeg", ""].contains(ending) else {
            throw KinemaError(
                .invalidArgument, "overlays are written as .mp4, .png or .jpg; change the name", file: path)
        }
        let isPicture = ["png", "jpg", "jpeg"].contains(ending)
        let (channel, failure) = (channel, failure)
        work = Task {
            do {
                if isPicture {
                    try await Self.writePicture(channel, to: url)
                } else {
                    try await Self.writeVideo(channel, to: url, timescale: timescale)
                }
            } catch {
                failure.set(error)
                // Whoever sends must not wait for a reader that has gone.
                for await _ in channel {}
            }
        }
    }

    /// Adds a frame with what is drawn on it; returns when the writer has taken it.
    func add(_ frame: VideoFrame, _ layers: [OverlayLayer]) async throws {
        try failure.check()
        await channel.send(Item(frame: frame, layers: layers))
    }

    /// Ends the file; what was added so far is in it.
    func finish() async throws {
        channel.finish()
        await work.value
        try failure.check()
    }

    private static func writeVideo(_ channel: AsyncChannel<Item>, to url: URL, timescale: Int) async throws {
        var items = channel.makeAsyncIterator()
        // The first frame tells the size.
        guard var next = await items.next() else { return }
        let (width, height) = (next.frame.width, next.frame.height)
        var writer = try VideoWriter(url: url, width: width, height: height, timescale: timescale)
        let renderer = OverlayRenderer()
        while true {
            try writer.append(next.bitmap(renderer, width: width, height: height), at: next.frame.id.range)
            guard let following = await items.next() else { break }
            next = following
        }
        try writer.finish()
    }

    /// Writes the first frame; the input was a picture, or the user wants a still of it.
    private static func writePicture(_ channel: AsyncChannel<Item>, to url: URL) async throws {
        var isWritten = false
        for await item in channel where !isWritten {
            try ImageWriter.write(
                item.bitmap(OverlayRenderer(), width: item.frame.width, height: item.frame.height), to: url)
            isWritten = true
        }
    }
}
