@testable import KinemaSampling
@testable import KinemaPose
import Foundation

@testable import KinemaCore
@testable import KinemaMedia
@testable import KinemaSynth

/// The rendered input of the stages, the same on every machine.
enum Fixtures {
    /// One minute at 30 frames per second.
    static let minute = 1800
    /// Frames of the scene in which two people walk past each other.
    static let crossingFrames = 240
    static let aspectRatio = 16.0 / 9

    /// A person doing squats at 30 frames per second, seen from the front.
    static func squats(width: Int, height: Int) -> SynthScene {
        .exercise(
            .squat, repetitions: 25, view: .front, secondsPerRepetition: 2.5,
            settings: SynthScene.Settings(width: width, height: height))
    }

    /// A frame of a scene as FFmpeg decodes it from H.264: 4:2:0 planes.
    static func decoded(_ scene: SynthScene, frame: Int) throws -> VideoFrame {
        let (width, height) = scene.size
        let file = try RenderedFiles.file("\(width)x\(height)-\(frame).mp4") { file in
            var writer = try VideoWriter(url: file, width: width, height: height, timescale: 30, threads: 1)
            try writer.append(scene.bitmap(at: frame), at: 0..<1)
            try writer.finish()
        }
        guard let decoded = try VideoDecoder(file).next() else {
            throw KinemaError(.unreadableInput, "has no frame", file: file.path)
        }
        return decoded
    }

    static func rendered(_ scene: SynthScene, frames: Range<Int>, name: String) throws -> [VideoFrame] {
        try frames.map { frame in
            let file = try RenderedFiles.file("\(name)-\(frame).bgra") { file in
                try Data(scene.bitmap(at: frame).pixels).write(to: file)
            }
            let start = frame * scene.frameRate.ticksPerFrame
            return VideoFrame(
                bitmap: Bitmap(
                    width: scene.size.width, height: scene.size.height, pixels: [UInt8](try Data(contentsOf: file))),
                id: TemporalSegmentIdentifier(
                    source: name, range: start..<start + scene.frameRate.ticksPerFrame,
                    timescale: scene.frameRate.timescale))
        }
    }

    /// Everyone in a frame as the landmark model would report them: the true joints, with its jitter of about a pixel.
    static func bodies(
        in scene: SynthScene, frame: Int, _ random: inout RandomSource
    ) -> [BodyLandmarks] {
        let projection = scene.projection(at: frame)
        let time = scene.frameRate.seconds(atFrame: frame)
        return scene.people.map { person in
            let armature = person.performance.armature(at: time)
            let root = projection.cameraSpace(armature.root)
            var points: [SIMD2<Double>] = []
            var world: [SIMD3<Float>] = []
            for key in BlazePoseSkeleton.joints {
                let place = projection.normalized(armature[key]) ?? (0, 0)
                let jitter = SIMD2(Double.random(in: -1...1, using: &random), .random(in: -1...1, using: &random))
                points.append(
                    SIMD2(place.x * Double(scene.size.width), (1 - place.y) * Double(scene.size.height)) + jitter)
                let offset = projection.cameraSpace(armature[key]) - root
                world.append(SIMD3(Float(offset.x), Float(offset.y), Float(-offset.z)))
            }
            return body(points, world)
        }
    }

    /// A body whose circle reaches its farthest joint, from the hips towards the shoulders.
    private static func body(_ points: [SIMD2<Double>], _ world: [SIMD3<Float>]) -> BodyLandmarks {
        let (hips, shoulders) = ((points[23] + points[24]) / 2, (points[11] + points[12]) / 2)
        let reach = points.map { ($0 - hips).length }.max() ?? 0
        let rim = hips + (shoulders - hips) / (shoulders - hips).length * reach
        let sure = [Float](repeating: 0.95, count: BodyLandmarks.count)
        return BodyLandmarks(
            region: Region(middle: hips, rim: rim), presence: 0.99, points: points, visibility: sure,
            pointPresence: sure, world: world, score: 0.99, middle: hips, rim: rim)
    }

    static func minuteOfPoses() -> [(pose: Pose, time: TimeInterval)] {
        let scene = squats(width: 1280, height: 720)
        var random = RandomSource(seed: 1)
        return (0..<minute).compactMap { frame in
            bodies(in: scene, frame: frame, &random).first.map {
                ($0.pose(id: 1, width: scene.size.width, height: scene.size.height), Double(frame) / 30)
            }
        }
    }
}

/// Files with rendered images, because valgrind makes rendering fifty times slower.
private enum RenderedFiles {
    private static let folder =
        ProcessInfo.processInfo.environment["KINEMA_BENCHMARK_PICTURES"].map { URL(filePath: $0) }
        ?? FileManager.default.temporaryDirectory.appending(path: "kinema-benchmarks-\(UUID().uuidString)")

    static func file(_ name: String, make: (URL) throws -> Void) throws -> URL {
        let file = folder.appending(path: name)
        if !FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try make(file)
        }
        return file
    }
}
