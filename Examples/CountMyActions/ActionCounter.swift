import Kinema

/// Counts the repetitions of the most prominent person in a stream of poses.
struct ActionCounter {
    /// The running total after each window: the first after 90 frames, then one every 5.
    func count(_ poses: AnyTemporalSequence<[Pose]>) async throws -> HumanBodyActionCounter.CumulativeSumSequence {
        let pipeline = Downsampler(factor: 1)
            .appending(PoseSelector(strategy: .mostProminentTrack))
            .appending(JointsSelector(ignoredJoints: [.nose, .leftEye, .leftEar, .rightEye, .rightEar]))
            .appending(SlidingWindowTransformer<Pose>(stride: 5, length: 90))
            .appending(HumanBodyActionCounter())
        return try await pipeline(poses)
    }
}
