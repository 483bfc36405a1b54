extension Exercise {
    /// Lying on the back, a bar from stretched arms down to the chest, and up.
    public static let benchPress = Exercise(
        name: "bench_press", title: "Bench press", aliases: ["chest press", "dumbbell bench press", "floor press"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .handHeight, rest: 1, full: 0.25, minimumSwing: 0.3, duration: 0.25...12, phases: .downFirst)),
        traits: [
            BodyTrait(.chestUp, .middle, 0.45...1, tolerance: 0.2),
            BodyTrait(.trunk, .middle, 45...120, tolerance: 12),
            BodyTrait(.trunk, .range, 0...25, tolerance: 10),
            BodyTrait(.handHeight, .range, 0.3...1.5, tolerance: 0.12),
            BodyTrait(.shoulderRise, .range, 0...0.35, tolerance: 0.15),
            BodyTrait(.arm, .range, 15...130, tolerance: 10),
        ],
        faults: [
            .atMost(
                0.3, tolerance: 0.2, .measure(.handHeight, .low), in: .far, else: .shallow, joints: .wrists),
            .atLeast(
                160, tolerance: 25, .measure(.elbow, .high), in: .rest, else: .notLockedOut, joints: .elbows,
                plane: .sagittal),
            .atMost(0, tolerance: 30, .sideDifference(.elbow), in: .rest, else: .uneven, joints: .elbows),
            .atLeast(0.9, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])
}
