import Foundation
import Kinema

/// A pipeline kept under its protocol.
final class StoredPipeline {
    let pipeline: any TemporalTransformer<[Pose], Float>

    init(stride: Int = 5) {
        pipeline = Downsampler(factor: 1)
            .appending(PoseSelector(strategy: .maximumBoundingBoxArea, confidenceThreshold: 0.3))
            .appending(SlidingWindowTransformer<Pose>(stride: stride, length: 90))
            .appending(HumanBodyActionCounter())
    }

    func lastTotal(of poses: AnyTemporalSequence<[Pose]>) async throws -> Float {
        var last: Float = 0
        for try await total in try await AnyTemporalSequence(pipeline(poses)) {
            last = total.feature
        }
        return last
    }
}

/// A pipeline built when first used, of an opaque type.
final class LazyPipeline {
    static func makePipeline(factor: Int) -> some TemporalTransformer<[Pose], [Pose]> {
        Downsampler<[Pose]>(factor: factor)
            .appending(PoseSelector())
            .appending(JointsSelector(selectedJoints: [.leftShoulder, .leftElbow, .leftWrist]))
            .appending(SlidingWindowTransformer(stride: 30, length: 30))
    }

    let windows: some TemporalTransformer<[Pose], [Pose]> = LazyPipeline.makePipeline(factor: 1)

    lazy var counting:
        ComposedTemporalTransformer<
            ComposedTemporalTransformer<
                ComposedTemporalTransformer<Downsampler<[Pose]>, TransformerToTemporalAdaptor<PoseSelector>>,
                SlidingWindowTransformer<Pose>
            >, HumanBodyActionCounter
        > = Downsampler(factor: 1)
            .appending(PoseSelector())
            .appending(SlidingWindowTransformer(stride: 5, length: 90))
            .appending(HumanBodyActionCounter())

    func windowLengths(of poses: AnyTemporalSequence<[Pose]>) async throws -> [Int] {
        var lengths = [Int]()
        for try await window in try await windows.applied(to: poses, eventHandler: nil) {
            lengths.append(window.feature.count)
        }
        return lengths
    }

    func totals(of poses: AnyTemporalSequence<[Pose]>) async throws -> [TemporalFeature<Float>] {
        let sums: HumanBodyActionCounter.CumulativeSumSequence = try await counting(poses, eventHandler: nil)
        return try await PreprocessedFeatureSequence(sums).features
    }
}

/// Period and periodicity of windows, as a transformer after the windows.
func periods(of poses: AnyTemporalSequence<[Pose]>) async throws -> [HumanBodyActionPeriodPredictor.Prediction] {
    let pipeline = PoseSelector(strategy: .maximumBoundingBoxArea)
        .appending(JointsSelector(ignoredJoints: [.leftKnee, .rightKnee]))
        .appending(SlidingWindowTransformer<Pose>(stride: 90, length: 90))
        .appending(HumanBodyActionPeriodPredictor())
    var predictions: [HumanBodyActionPeriodPredictor.Prediction] = []
    for try await window in try await pipeline(poses) {
        predictions += window.feature
    }
    return predictions
}
