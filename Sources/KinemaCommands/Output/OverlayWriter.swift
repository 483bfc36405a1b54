public import ArgumentParser
import Foundation
import Kinema
import KinemaCore
public import KinemaDraw

/// Draws on frames and writes them: one frame is drawn while the next is analysed.
final class OverlayWriter: Sendable {
    private struct Item: Sendable {
        let frame: VideoFrame
        let layers: [OverlayLayer]
        let look: OverlayRenderer.Look

        /// The frame with its layers and without what is hidden, in the size of the overlay.
        func bitmap(_ hider: inout PeopleHider?, width: Int, height: Int) throws -> Bitmap {
            var bitmap =
                try hider?.hidden(frame, width: width, height: height)
                ?? frame.bitmap(width: width, height: height)
            try OverlayRenderer(look: look).draw(hider == nil ? layers : layers.map(\.withoutFaces), on: &bitmap)
            return bitmap
        }
    }

    private let channel = FrameChannel<Item>(.bounded(1))
    private let work: Task<(any Error)?, Never>
    private let look: OverlayRenderer.Look

    /// Starts writing to a path: `.png`, `.jpg` for one picture, a video for `.mp4` and names without an ending. Throws
    /// `invalidArgument` for another ending.
    init(path: String, timescale: Int, hiding: Hiding? = nil, look: OverlayRenderer.Look = .plain) throws {
        self.look = look
        let url = URL(filePath: path)
        let isPicture = try Self.isPicture(path)
        let channel = channel
        let hider = try hiding.map { try PeopleHider($0) }
        work = Task {
            do {
                if isPicture {
                    try await Self.writePicture(channel, hider, to: url)
                } else {
                    try await Self.writeVideo(channel, hider, to: url, timescale: timescale)
                }
                return nil
            } catch {
                // The sender must not wait: a frame sent after the end is dropped.
                channel.cancel()
                return error
            }
        }
    }

    /// Whether a path is that of one picture; throws `invalidArgument` for one that is neither a picture nor a video.
    static func isPicture(_ path: String) throws -> Bool {
        let ending = URL(filePath: path).pathExtension.lowercased()
        guard ["mp4", "m4v", "png", "jpg", "jpeg", ""].contains(ending) else {
            throw KinemaError(
                .invalidArgument, "overlays are written as .mp4, .png or .jpg; change the name", file: path)
        }
        return ["png", "jpg", "jpeg"].contains(ending)
    }

    /// Adds a frame and its layers; returns when the writer has taken it, or at once after a failure.
    func add(_ frame: VideoFrame, _ layers: [OverlayLayer]) async {
        _ = try? await channel.send(Item(frame: frame, layers: layers, look: look))
    }

    /// Finishes the file; returns the failure, if any.
    func finish() async -> (any Error)? {
        channel.finish()
        return await work.value
    }

    private static func writeVideo(
        _ channel: FrameChannel<Item>, _ hider: PeopleHider?, to url: URL, timescale: Int
    ) async throws {
        var hider = hider
        var items = channel.makeAsyncIterator()
        // The first frame sets the size.
        guard var next = try await items.next() else { return }
        let (width, height) = (next.frame.width, next.frame.height)
        var writer = try VideoWriter(url: url, width: width, height: height, timescale: timescale)
        while true {
            try writer.append(next.bitmap(&hider, width: width, height: height), at: next.frame.id.range)
            guard let following = try await items.next() else { break }
            next = following
        }
        try writer.finish()
    }

    private static func writePicture(
        _ channel: FrameChannel<Item>, _ hider: PeopleHider?, to url: URL
    ) async throws {
        var (hider, isWritten) = (hider, false)
        for try await item in channel where !isWritten {
            try ImageWriter.write(
                item.bitmap(&hider, width: item.frame.width, height: item.frame.height), to: url)
            isWritten = true
        }
    }
}

extension OverlayRenderer.Look: ExpressibleByArgument {}
