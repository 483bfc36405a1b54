extension Exercise {
    /// Arms overhead and legs apart in one hop, and back.
    public static let jumpingJack = Exercise(
        name: "jumping_jack", title: "Jumping jack", aliases: ["star jump", "jack"], views: [.front, .diagonal],
        kind: .repetitions(
            ExerciseMotion(
                measure: .arm, rest: 20, full: 150, minimumSwing: 50, duration: 0.25...5, phases: .upFirst)),
        traits: [
            BodyTrait(.arm, .range, 60...180, tolerance: 15),
            BodyTrait(.handHeight, .high, 0.3...1.4, tolerance: 0.2),
            BodyTrait(.handHeight, .low, -1.4 ... -0.4, tolerance: 0.2),
            BodyTrait(.legSpread, .range, 20...90, tolerance: 6),
            BodyTrait(.trunk, .middle, 0...25, tolerance: 12),
            BodyTrait(.shoulderRise, .range, 0...1, tolerance: 0.3),
        ],
        faults: [
            .atLeast(
                145, tolerance: 20, .measure(.arm, .high), in: .far, else: .shallow, joints: .wrists, plane: .frontal),
            .atLeast(35, tolerance: 12, .measure(.legSpread, .high), in: .far, else: .legsNarrow, joints: .ankles),
            .atMost(0, tolerance: 25, .sideDifference(.arm), in: .far, else: .uneven, joints: .wrists, plane: .frontal),
        ])
}
