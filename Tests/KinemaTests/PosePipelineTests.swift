import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import KinemaVision
import Testing

/// Reading ahead with real hands.
@Suite(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
struct PosePipelineTests {
    private func hands(_ clip: String, mode: RunningMode) async throws -> [[HumanHandPoseObservation]] {
        var pipeline = PosePipeline.handsOnly(HandPoseOptions(readsCloseUp: true), smooths: false)
        pipeline.mode = mode
        var result: [[HumanHandPoseObservation]] = []
        for try await element in pipeline(
            try await VideoReader.read(contentsOf: SharedData.file("hands/asl/\(clip).mkv")))
        {
            result.append(element.feature.hands)
        }
        return result
    }

    // Lost and found time and again.
    @Test(arguments: ["again", "sorry"])
    func `reading ahead finds the same hands`(_ clip: String) async throws {
        let (waiting, ahead) = (
            try await hands(clip, mode: .exact), try await hands(clip, mode: .file)
        )
        #expect(waiting.map { $0.map(\.pose.id) } == ahead.map { $0.map(\.pose.id) })
        for (one, other) in zip(waiting.flatMap(\.self), ahead.flatMap(\.self)) {
            let tips = [one, other].map { $0.pose.keypoints[.indexTip]?.location ?? .zero }
            // Where the sums of a layer are taken in another order, the last digits differ.
            #expect(hypot(tips[0].x - tips[1].x, tips[0].y - tips[1].y) < 1e-3)
        }
        #expect(ahead.contains { $0.count == 2 })
    }
}
