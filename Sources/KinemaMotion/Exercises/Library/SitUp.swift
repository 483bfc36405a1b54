extension Exercise {
    /// Lying on the back, the trunk up to the knees, and down.
    public static let sitUp = Exercise(
        name: "sit_up", title: "Sit-up", aliases: ["crunch"], views: [.side, .diagonal],
        kind: .repetitions(
            ExerciseMotion(measure: .trunk, rest: 90, full: 25, minimumSwing: 20, duration: 0.5...12, phases: .upFirst)),
        traits: [
            BodyTrait(.trunk, .high, 65...120, tolerance: 12),
            BodyTrait(.trunk, .range, 22...120, tolerance: 8),
            BodyTrait(.chestUp, .high, 0.6...1, tolerance: 0.2),
            BodyTrait(.hipRise, .range, 0...0.4, tolerance: 0.15),
            // Who bends over on the feet shows the same angles.
            BodyTrait(.hipHeight, .middle, -0.5...0.6, tolerance: 0.2),
            BodyTrait(.ankleRise, .range, 0...0.4, tolerance: 0.15),
            BodyTrait(.shoulderRise, .range, 0.25...1.5, tolerance: 0.15),
        ],
        faults: [
            .atMost(
                30, tolerance: 20, .measure(.trunk, .low), in: .far, else: .shallow,
                joints: .trunk),
            .atLeast(1, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])
}
