import Foundation
import KinemaCore
import KinemaMedia
import Testing

@testable import KinemaSynth

@Suite struct SynthWriterTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("synth-\(UUID().uuidString)")
    private let scene = SynthScene.exercise(
        .squat, repetitions: 1, secondsPerRepetition: 1,
        settings: .init(width: 160, height: 120, frameRate: FrameRate(ticksPerFrame: 1001, timescale: 15000)))

    @Test func `a clip holds every frame at its exact time and its truth lies beside`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let clip = folder.appendingPathComponent("squat.mp4")
        let truth = folder.appendingPathComponent("squat.json")
        var told: [Int] = []
        try SynthWriter.write(scene, to: clip, truth: truth) { done, _ in told.append(done) }
        #expect(told == Array(1...scene.frameCount))
        #expect(try JSONDecoder().decode(Truth.self, from: Data(contentsOf: truth)) == scene.truth())

        var frame = 0
        for try await element in try await VideoReader.read(contentsOf: clip) {
            #expect(abs(element.id.rangeInSeconds.lowerBound - scene.frameRate.seconds(atFrame: frame)) < 1e-6)
            if frame == 4 {
                #expect(meanDifference(try element.feature.bitmap(), scene.bitmap(at: frame)) < 4)
            }
            frame += 1
        }
        #expect(frame == scene.frameCount)
    }

    @Test func `what progress throws ends the work`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: CancellationError.self) {
            try SynthWriter.write(scene, to: folder.appendingPathComponent("cut.mp4")) { done, _ in
                if done == 3 { throw CancellationError() }
            }
        }
    }

    @Test func `a truth that cannot be written is said before anything is rendered`() throws {
        let error = try #require(throws: KinemaError.self) {
            try SynthWriter.write(
                scene, to: folder.appendingPathComponent("never.mp4"), truth: URL(fileURLWithPath: "/nowhere/t.json")
            ) { _, _ in Issue.record("a frame was rendered") }
        }
        #expect(error.code == .unwritableOutput && error.file == "/nowhere/t.json")
    }

    private func meanDifference(_ first: Bitmap, _ second: Bitmap) -> Double {
        guard first.pixels.count == second.pixels.count else { return .infinity }
        let sum = zip(first.pixels, second.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(first.pixels.count)
    }
}
