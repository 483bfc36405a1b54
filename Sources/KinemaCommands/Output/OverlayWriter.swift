import AsyncAlgorithms
import Foundation
import Kinema
import KinemaDraw
import Synchronization

/// Draws on frames and writes them beside the analysis: one frame is drawn while the next is analysed.
final class OverlayWriter: Sendable {
    private struct Item: Sendable {
        let frame: VideoFrame
        let poses: [Pose]
        let hud: HUD
        let strip: StripChart?
        let faults: [Int: Set<JointKey>]

        /// The frame with everything drawn on it.
        func bitmap(_ renderer: OverlayRenderer) throws -> Bitmap {
            var bitmap = try frame.bitmap()
            try renderer.draw(poses: poses, hud: hud, strip: strip, faults: faults, on: &bitmap)
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

    /// Starts writing to a path: `.png`, `.jpg` for one picture, a video otherwise.
    init(path: String, timescale: Int) {
        let url = URL(filePath: path)
        let isPicture = ["png", "jpg", "jpeg"].contains(url.pathExtension.lowercased())
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

    /// Adds a frame; returns when the writer has taken it. `faults` names joints to draw red by the person's number.
    func add(
        _ frame: VideoFrame, poses: [Pose], hud: HUD, strip: StripChart? = nil, faults: [Int: Set<JointKey>] = [:]
    ) async throws {
        try failure.check()
        await channel.send(Item(frame: frame, poses: poses, hud: hud, strip: strip, faults: faults))
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
        var writer = try VideoWriter(
            url: url, width: next.frame.width, height: next.frame.height, timescale: timescale)
        let renderer = OverlayRenderer()
        while true {
            try writer.append(next.bitmap(renderer), at: next.frame.id.range)
            guard let following = await items.next() else { break }
            next = following
        }
        try writer.finish()
    }

    /// Writes the first frame; the input was a picture, or the user wants a still of it.
    private static func writePicture(_ channel: AsyncChannel<Item>, to url: URL) async throws {
        var isWritten = false
        for await item in channel where !isWritten {
            try ImageWriter.write(item.bitmap(OverlayRenderer()), to: url)
            isWritten = true
        }
    }
}
