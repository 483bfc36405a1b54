import AsyncAlgorithms
import Foundation
import Kinema

/// Counts what somebody repeats in a file, before a camera, in a stream or in the built-in scene, and prints the count as it rises.
///
/// Frames become poses; an `AsyncChannel` carries the poses to the counting pipeline, which runs beside.
@main
enum CountMyActions {
    static let usage = "usage: CountMyActions FILE | camera | rtsp://… | http(s)://… | --demo"

    static func main() async {
        do {
            switch CommandLine.arguments.dropFirst().first {
            case nil, "-h", "--help":
                print(usage)
            case "--demo":
                let frames = DemoFrames()
                try await count(frames, aspectRatio: frames.aspectRatio)
            case "camera":
                let frames = try await VideoReader.readCamera(configuration: VideoReader.CameraConfiguration())
                try await count(frames, aspectRatio: frames.frameSize.width / frames.frameSize.height)
            case let input?:
                let frames = try await VideoReader.read(MediaInput(argument: input))
                try await count(frames, aspectRatio: frames.frameSize.width / frames.frameSize.height)
            }
        } catch {
            FileHandle.standardError.write(Data("CountMyActions: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Sends the poses of each frame on and prints what the counter makes of them.
    private static func count<Frames>(_ frames: Frames, aspectRatio: Double) async throws
    where Frames: TemporalSequence, Frames.Feature == VideoFrame {
        let poseStream = AsyncChannel<TemporalFeature<[Pose]>>()
        let printing = Task { try await printCounts(poseStream, aspectRatio: aspectRatio) }
        do {
            let extractor = HumanBodyPoseExtractor()
            for try await frame in frames {
                let poses = try await extractor.applied(to: frame.feature)
                await poseStream.send(TemporalFeature(id: frame.id, feature: poses))
            }
        } catch {
            poseStream.finish()
            printing.cancel()
            throw error
        }
        poseStream.finish()
        try await printing.value
    }

    private static func printCounts(
        _ poses: AsyncChannel<TemporalFeature<[Pose]>>, aspectRatio: Double
    ) async throws {
        var shown: Float = 0
        let stream = AnyTemporalSequence<[Pose]>(poses, count: nil)
        for try await total in try await ActionCounter(aspectRatio: aspectRatio).count(stream) {
            guard total.feature.rounded() != shown else { continue }
            shown = total.feature.rounded()
            let seconds = String(format: "%6.2f s", total.id.rangeInSeconds.upperBound)
            print("\(seconds)  \(Int(shown))")
        }
        print("\(Int(shown)) repetitions")
    }
}
