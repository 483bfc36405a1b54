extension Exercise {
    /// One foot ahead, down until both knees are bent square, and back.
    public static let lunge = Exercise(
        name: "lunge", title: "Lunge", aliases: ["split squat", "walking lunge", "reverse lunge"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .knee, isOneSided: true, rest: 165, full: 90, minimumSwing: 35, duration: 0.25...12,
                phases: .downFirst)),
        traits: [
            BodyTrait(.knee, .range, 30...130, tolerance: 12),
            BodyTrait(.trunk, .middle, 0...35, tolerance: 12),
            BodyTrait(.hipRise, .range, 0.2...2, tolerance: 0.12),
            BodyTrait(.chestUp, .middle, -0.6...0.25, tolerance: 0.2),
            BodyTrait(.stride, .high, 0.8...3, tolerance: 0.2),
            BodyTrait(.hipSplit, .high, 35...130, tolerance: 12),
            BodyTrait(.handHeight, .middle, -1.3...0.4, tolerance: 0.3),
        ],
        faults: [
            .atMost(
                90, tolerance: 15, .measure(.knee, .low), in: .far, else: .shallow, joints: .knees, plane: .sagittal),
            .atMost(
                20, tolerance: 15, .measure(.trunk, .high), in: .far, else: .leaning,
                joints: .trunk, views: [.side]),
            .atLeast(1.2, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])
}
