import AsyncAlgorithms
import Foundation
import Kinema
import KinemaDraw

/// Counts repetitions in a file, a camera, a stream or the built-in scene, and writes a video that shows the count.
///
/// Frames become poses; an `AsyncChannel` carries the poses to the counting pipeline, which runs beside.
@main
enum CountMyActions {
    static let usage = "usage: CountMyActions FILE | camera | rtsp://… | http(s)://… | --demo [VIDEO.mp4]"

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let film = URL(filePath: arguments.dropFirst().first ?? "CountMyActions.mp4")
        do {
            switch arguments.first {
            case nil, "-h", "--help":
                print(usage)
            case "--demo":
                let frames = DemoFrames()
                try await count(frames, size: frames.frameSize, timescale: frames.timescale, film: film)
            case let input?:
                let frames = try await VideoReader.read(MediaInput(argument: input))
                try await count(frames, size: frames.frameSize, timescale: frames.timescale, film: film)
            }
        } catch {
            FileHandle.standardError.write(Data("CountMyActions: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Sends the poses of each frame on, and draws them with the count so far.
    private static func count<Frames>(_ frames: Frames, size: CGSize, timescale: Int, film: URL) async throws
    where Frames: TemporalSequence, Frames.Feature == VideoFrame {
        let (poseStream, shown) = (AsyncChannel<TemporalFeature<[Pose]>>(), ShownCount())
        let counter = ActionCounter()
        let counting = Task {
            for try await total in try await counter.count(AnyTemporalSequence<[Pose]>(poseStream, count: nil)) {
                await shown.show(Int(total.feature.rounded()), at: total.id.rangeInSeconds.upperBound)
            }
        }
        defer { counting.cancel() }
        let (extractor, renderer) = (HumanBodyPoseExtractor(), OverlayRenderer())
        var writer = try VideoWriter(
            url: film, width: Int(size.width), height: Int(size.height), timescale: timescale)
        for try await frame in frames {
            let poses = try await extractor.applied(to: frame.feature)
            await poseStream.send(TemporalFeature(id: frame.id, feature: poses))
            var picture = try frame.feature.bitmap()
            try renderer.draw([.skeletons(poses), .hud(HUD(count: await shown.count))], on: &picture)
            try writer.append(picture, at: frame.id.range)
        }
        poseStream.finish()
        try await counting.value
        try writer.finish()
        print("\(await shown.count) repetitions; watch them in \(film.path)")
    }
}

/// The count that is drawn: written by the counting task, read by the drawing task.
actor ShownCount {
    private(set) var count = 0

    /// Takes the newest count and prints changes.
    func show(_ newest: Int, at time: TimeInterval) {
        guard newest != count else { return }
        count = newest
        print(String(format: "%6.2f s  %d", time, newest))
    }
}
