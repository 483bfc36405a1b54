import KinemaMotion
import AsyncAlgorithms
import Foundation
import KinemaCore
import Testing

/// Stores a pipeline as the Create ML sample does, isolated to the main actor.
@MainActor final class ViewModel {
    private let poseStream = AsyncChannel<TemporalFeature<[Pose]>>()
    private let pipeline = Downsampler(factor: 1)
        .appending(PoseSelector(strategy: .maximumBoundingBoxArea))
        .appending(JointsSelector(ignoredJoints: [.nose, .leftEye, .leftEar, .rightEye, .rightEar]))
        .appending(SlidingWindowTransformer<Pose>(stride: 5, length: 10))
    private(set) var shown = 0

    func run(frames: Int) async throws -> [Int] {
        let display = Task { try await self.display(frames: frames) }
        var lengths: [Int] = []
        let sequence = AnyTemporalSequence<[Pose]>(poseStream, count: nil)
        for try await window in try await pipeline(sequence) {
            lengths.append(window.feature.count)
        }
        try await display.value
        return lengths
    }

    private func display(frames: Int) async throws {
        for frame in 0..<frames {
            let id = TemporalSegmentIdentifier(source: "camera", range: frame..<frame + 1, timescale: 30)
            await poseStream.send(TemporalFeature(id: id, feature: [Pose(from: [:])]))
            shown += 1
        }
        poseStream.finish()
    }
}

struct LivePipelineTests {
    @Test func `a channel feeds the pipeline while the poses are shown`() async throws {
        let model = await MainActor.run { ViewModel() }
        #expect(try await model.run(frames: 23) == [10, 10, 10])
        #expect(await model.shown == 23)
    }
}
