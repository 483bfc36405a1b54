extension Exercise {
    /// Hanging from a bar, up until the chin is at the hands, and down.
    public static let pullUp = Exercise(
        name: "pull_up", title: "Pull-up", aliases: ["chin up"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .elbow, rest: 155, full: 65, minimumSwing: 28, duration: 0.5...12, phases: .upFirst)),
        traits: [
            BodyTrait(.handHeight, .low, 0.0...1, tolerance: 0.15),
            BodyTrait(.handHeight, .range, 0.25...1.2, tolerance: 0.12),
            BodyTrait(.handRise, .range, 0...0.35, tolerance: 0.15),
            BodyTrait(.shoulderRise, .range, 0.35...1.6, tolerance: 0.12),
            BodyTrait(.trunk, .middle, 0...35, tolerance: 12),
            BodyTrait(.elbow, .range, 25...150, tolerance: 8),
        ],
        faults: [
            .atMost(
                70, tolerance: 25, .measure(.elbow, .low), in: .far, else: .shallow, joints: .elbows, plane: .frontal),
            .atLeast(
                155, tolerance: 22, .measure(.elbow, .high), in: .rest, else: .notLockedOut, joints: .elbows,
                plane: .frontal),
            .atMost(
                15, tolerance: 20, .measure(.trunk, .range), in: .whole, else: .swinging, joints: .hips),
            .atMost(0, tolerance: 30, .sideDifference(.elbow), in: .far, else: .uneven, joints: .elbows),
        ])
}
