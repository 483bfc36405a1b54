extension Exercise {
    /// From standing down to the floor into a push-up position, and up again, mostly with a jump.
    public static let burpee = Exercise(
        name: "burpee", title: "Burpee",
        kind: .repetitions(
            ExerciseMotion(
                measure: .trunk, rest: 10, full: 75, minimumSwing: 35, duration: 1...15, phases: .downFirst)),
        traits: [
            BodyTrait(.trunk, .range, 45...130, tolerance: 12),
            BodyTrait(.chestUp, .low, -1 ... -0.7, tolerance: 0.15),
            BodyTrait(.shoulderRise, .range, 1.3...4, tolerance: 0.25),
            BodyTrait(.hipRise, .range, 0.8...4, tolerance: 0.2),
            BodyTrait(.handRise, .range, 1...6, tolerance: 0.3),
            BodyTrait(.knee, .range, 40...150, tolerance: 12),
        ],
        faults: [
            .atLeast(75, tolerance: 20, .measure(.trunk, .high), in: .far, else: .shallow, joints: .hips),
            .atMost(10, tolerance: 20, .measure(.trunk, .low), in: .rest, else: .notLockedOut, joints: .hips),
        ])
}
