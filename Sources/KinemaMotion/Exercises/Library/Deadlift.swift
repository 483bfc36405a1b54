extension Exercise {
    /// A bar from the floor up to the hips, and down.
    public static let deadlift = Exercise(
        name: "deadlift", title: "Deadlift", aliases: ["romanian deadlift", "good morning", "hip hinge"],
        views: [.side, .diagonal],
        kind: .repetitions(
            ExerciseMotion(
                measure: .hip, startsEitherWay: true, rest: 165, full: 70, minimumSwing: 35, duration: 0.25...15,
                phases: .downFirst)),
        traits: [
            BodyTrait(.trunk, .high, 45...100, tolerance: 10),
            BodyTrait(.trunk, .range, 32...100, tolerance: 10),
            BodyTrait(.handHeight, .high, -1.4 ... -0.65, tolerance: 0.12),
            BodyTrait(.hipRise, .range, 0.05...0.65, tolerance: 0.12),
            BodyTrait(.knee, .range, 5...100, tolerance: 10),
            BodyTrait(.shoulderRise, .range, 0.4...1.4, tolerance: 0.2),
            BodyTrait(.elbow, .middle, 135...180, tolerance: 12),
        ],
        faults: [
            .atLeast(
                165, tolerance: 20, .measure(.hip, .high), in: .rest, else: .notLockedOut, joints: .hips,
                plane: .sagittal),
            .atLeast(
                150, tolerance: 25, .measure(.elbow, .middle), in: .whole, else: .armsBent, joints: .elbows,
                plane: .sagittal),
            .atLeast(1.2, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])
}
