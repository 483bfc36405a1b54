import AsyncAlgorithms
import Kinema

/// A view model of today: everything on the main actor, strict concurrency.
@MainActor
final class MainActorModel {
    private(set) var shownFrames = 0
    private(set) var totals: [Float] = []
    private(set) var wristHeights: [Double] = []

    private let poseStream = AsyncChannel<TemporalFeature<[Pose]>>()
    private let secondStream = AsyncChannel<TemporalFeature<[Pose]>>()
    private lazy var pipeline = Downsampler(factor: 1)
        .appending(PoseSelector(strategy: .mostProminentTrack))
        .appending(SlidingWindowTransformer<Pose>(stride: 5, length: 90))
        .appending(HumanBodyActionCounter())
    private var selector = PoseSelector()

    /// Shows the poses, counts them and measures them, each consumer in a task of its own.
    func run(_ recording: RecordedPoses) async throws {
        let counting = Task { try await count() }
        let measuring = Task { try await measure() }
        for try await element in recording {
            await poseStream.send(element)
            await secondStream.send(element)
            shownFrames += 1
        }
        poseStream.finish()
        secondStream.finish()
        try await counting.value
        try await measuring.value
    }

    private func count() async throws {
        let sequence = AnyTemporalSequence<[Pose]>(poseStream, count: nil)
        for try await total in try await pipeline(sequence) {
            totals.append(total.feature)
        }
    }

    private func measure() async throws {
        for await element in secondStream {
            let pose = selector.applied(to: element.feature)
            if let wrist = pose.keypoints[.leftWrist] { wristHeights.append(wrist.location.y) }
        }
    }
}
