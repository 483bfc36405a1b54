extension Exercise {
    /// Down until the thighs lie about level, and up.
    public static let squat = Exercise(
        name: "squat", title: "Squat", aliases: ["back squat", "front squat", "air squat", "goblet squat"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .knee, rest: 170, full: 80, minimumSwing: 27, duration: 0.3...12, phases: .downFirst)),
        traits: [
            BodyTrait(.knee, .range, 35...130, tolerance: 10),
            BodyTrait(.trunk, .middle, 0...45, tolerance: 12),
            BodyTrait(.trunk, .range, 0...40, tolerance: 15),
            BodyTrait(.hipRise, .range, 0.3...2, tolerance: 0.12),
            BodyTrait(.chestUp, .middle, -0.7...0.25, tolerance: 0.2),
            BodyTrait(.hipSplit, .high, 0...38, tolerance: 20),
            BodyTrait(.stride, .middle, 0...0.45, tolerance: 0.15),
            BodyTrait(.shoulderRise, .range, 0.3...2.2, tolerance: 0.2),
        ],
        faults: [
            .atMost(
                80, tolerance: 15, .measure(.knee, .low), in: .far, else: .shallow, joints: .knees, views: [.side],
                plane: .sagittal),
            // Thighs level, the hips are 0.75 to 0.95 trunk lengths above the ankles; it shows where the knees' angle
            // does not.
            .atMost(
                0.95, tolerance: 0.15, .measure(.hipHeight, .low), in: .far, else: .shallow, joints: .knees,
                views: [.front, .diagonal]),
            .atLeast(
                0.97, tolerance: 0.14, .measure(.kneeGap, .middle), in: .far, else: .kneesIn, joints: .knees,
                views: [.front, .diagonal]),
            .atMost(
                40, tolerance: 20, .measure(.trunk, .high), in: .far, else: .leaning,
                joints: .trunk, views: [.side]),
            .atMost(
                0, tolerance: 20, .sideDifference(.knee), in: .far, else: .uneven, joints: .knees,
                views: [.front, .diagonal]),
            .atLeast(
                165, tolerance: 20, .measure(.knee, .high), in: .rest, else: .notLockedOut, joints: .knees,
                plane: .sagittal),
            // Eight even squats of a studio recording take 0.96 to 1.08 s each.
            .atLeast(1, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])
}
