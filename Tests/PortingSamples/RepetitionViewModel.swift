import AsyncAlgorithms
import Foundation
import Kinema

/// A view model of the time before strict concurrency: a class of its own, tasks kept in properties.
class RepetitionViewModel {
    /// Where the shown poses went; the picture on screen.
    var onShow: (([Pose]) -> Void)?
    /// The shown count after each window, and the window.
    var onCount: ((Float, TemporalSegmentIdentifier) -> Void)?
    private(set) var uiCount: Float = 0.0

    private var displayTask: Task<Void, Error>?
    private var predictionTask: Task<Void, Error>?
    private var configuration = VideoReader.CameraConfiguration()
    private let poseExtractor = HumanBodyPoseExtractor()
    private let actionCounter = RepetitionPipeline()
    private let poseStream = AsyncChannel<TemporalFeature<[Pose]>>()
    private var lastCumulativeCount: Float = 0.0

    func start(with recordings: AnyTemporalSequence<[Pose]>? = nil) {
        if let displayTask = displayTask {
            displayTask.cancel()
        }
        displayTask = Task {
            if let recordings = recordings {
                try await self.show(recordings)
            } else {
                try await self.showCamera()
            }
        }
        if predictionTask == nil {
            predictionTask = Task {
                try await self.predictCount()
            }
        }
    }

    func flip(to recordings: AnyTemporalSequence<[Pose]>? = nil) {
        configuration.position = configuration.position == .front ? .back : .front
        uiCount = 0
        start(with: recordings)
    }

    var position: VideoReader.CameraConfiguration.Position { configuration.position }

    func finishShowing() async throws {
        try await displayTask?.value
    }

    func finish() async throws {
        poseStream.finish()
        try await predictionTask?.value
    }

    private func showCamera() async throws {
        let frames = try await VideoReader.readCamera(configuration: configuration)
        for try await frame in frames {
            if Task.isCancelled { return }
            let poses = try await poseExtractor.applied(to: frame.feature)
            await poseStream.send(TemporalFeature(id: frame.id, feature: poses))
            onShow?(poses)
        }
    }

    private func show(_ recordings: AnyTemporalSequence<[Pose]>) async throws {
        for try await element in recordings {
            try Task.checkCancellation()
            await poseStream.send(TemporalFeature(id: element.id, feature: element.feature))
            onShow?(element.feature)
        }
    }

    private func predictCount() async throws {
        let stream = AnyTemporalSequence<[Pose]>(poseStream, count: nil)
        let totals = try await actionCounter.count(stream)
        for try await total in totals {
            let increment = total.feature - lastCumulativeCount
            lastCumulativeCount = total.feature
            // Nothing was added: the person rests, and the next set counts from 0.
            uiCount = increment <= 0.001 ? 0 : uiCount + increment
            onCount?(uiCount, total.id)
        }
    }
}

/// The counting pipeline as a value that is built anew for each stream.
struct RepetitionPipeline {
    func count(_ poses: AnyTemporalSequence<[Pose]>) async throws -> HumanBodyActionCounter.CumulativeSumSequence {
        let pipeline = Downsampler(factor: 1)
            .appending(PoseSelector(strategy: .maximumBoundingBoxArea))
            .appending(JointsSelector(ignoredJoints: [.nose, .leftEye, .leftEar, .rightEye, .rightEar]))
            .appending(SlidingWindowTransformer<Pose>(stride: 5, length: 90))
            .appending(HumanBodyActionCounter())
        return try await pipeline(poses)
    }
}
