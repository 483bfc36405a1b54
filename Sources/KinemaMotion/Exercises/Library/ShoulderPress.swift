extension Exercise {
    /// Weights from the shoulders up to stretched arms overhead, and down.
    public static let shoulderPress = Exercise(
        name: "shoulder_press", title: "Shoulder press",
        aliases: ["overhead press", "military press", "dumbbell press"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .handHeight, rest: 0.05, full: 0.95, minimumSwing: 0.35, duration: 0.25...12, phases: .upFirst)
        ),
        traits: [
            BodyTrait(.handHeight, .high, 0.6...1.4, tolerance: 0.15),
            BodyTrait(.handHeight, .low, -0.4...0.45, tolerance: 0.15),
            BodyTrait(.elbow, .range, 35...150, tolerance: 10),
            BodyTrait(.trunk, .middle, 0...35, tolerance: 12),
            BodyTrait(.knee, .range, 0...30, tolerance: 10),
            BodyTrait(.hipRise, .range, 0...0.25, tolerance: 0.1),
            BodyTrait(.legSpread, .range, 0...16, tolerance: 8),
        ],
        faults: [
            .atLeast(
                155, tolerance: 20, .measure(.elbow, .high), in: .far, else: .notLockedOut, joints: .elbows,
                plane: .frontal),
            .atMost(
                0.1, tolerance: 0.25, .measure(.handHeight, .low), in: .rest, else: .shallow, joints: .wrists),
            .atMost(0, tolerance: 25, .sideDifference(.arm), in: .far, else: .uneven, joints: .wrists),
            .atMost(
                10, tolerance: 15, .measure(.trunk, .range), in: .whole, else: .swinging, joints: .shoulders),
            .atLeast(0.9, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])
}
