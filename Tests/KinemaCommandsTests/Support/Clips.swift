import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

@testable import KinemaSynth

/// Rendered clips that several tests look at, each made once.
enum Clips {
    static let folder = Result { try TemporaryFolder() }
    /// Small and slow, so that the whole suite stays quick.
    static let rate = 10
    static let settings = SynthScene.Settings(width: 480, height: 360, frameRate: FrameRate(timescale: rate))

    /// A person who squats once, seen from the front: 4 s.
    static let squatScene = SynthScene.exercise(
        .squat, repetitions: 1, seed: 4, view: .front, secondsPerRepetition: 1.8, settings: settings)
    static let squat = Result { try write(squatScene, "squat") }
    /// Its first second, where it does not matter what the person does.
    static let brief = Result {
        let url = try folder.get().file("brief.mp4")
        try Tool.ffmpeg("-i \(squat.get().path) -frames:v \(rate)", url)
        return url
    }
    /// Two people side by side, as short as can be.
    static let pairScene = SynthScene.twoPeople(
        seed: 2, settings: .init(width: 640, height: 360, frameRate: FrameRate(timescale: rate)))
    static let pair = Result { try write(pairScene, "pair") }
    /// Their first three seconds, where it does not matter what they do.
    static let pairStart = Result {
        let url = try folder.get().file("pair-start.mp4")
        try Tool.ffmpeg("-i \(pair.get().path) -frames:v \(pairStartFrames)", url)
        return url
    }
    static let pairStartFrames = 3 * rate
    /// The squat over and over: 80 s, long enough to be interrupted.
    static let long = Result { try loop(20, "long") }
    /// 16 s, with a key frame a second: long enough for parts.
    static let parted = Result {
        let url = try folder.get().file("parted.mp4")
        try Tool.ffmpeg("-stream_loop 4 -i \(squat.get().path) -frames:v \(16 * rate) -c:v libx264 -g \(rate)", url)
        return url
    }
    /// A quarter of an hour: longer than any test may take.
    static let endless = Result { try loop(220, "endless") }

    private static func loop(_ times: Int, _ name: String) throws -> URL {
        let url = try folder.get().file("\(name).mp4")
        try Tool.ffmpeg("-stream_loop \(times) -i \(squat.get().path) -c copy", url)
        return url
    }

    /// Two seconds of grey, in which nobody is.
    static let nobody = Result {
        let url = try folder.get().file("nobody.mp4")
        try Tool.ffmpeg("-f lavfi -i color=gray:size=320x240:rate=15:duration=2 -pix_fmt yuv420p", url)
        return url
    }

    /// Writes a scene into the common folder.
    static func write(_ scene: SynthScene, _ name: String) throws -> URL {
        let url = try folder.get().file("\(name).mp4")
        try RenderedVideo.write(scene, to: url)
        return url
    }

    /// All frames of a video.
    static func frames(of url: URL) async throws -> [VideoFrame] {
        var frames: [VideoFrame] = []
        for try await element in try await VideoReader.read(contentsOf: url) { frames.append(element.feature) }
        return frames
    }
}

/// Everything that runs the command: one run after the other, for the times measured and the memory taken.
@Suite(.serialized) enum CommandTests {}
