extension Exercise {
    /// From stretched arms down to the chest near the floor, and up.
    public static let pushUp = Exercise(
        name: "push_up", title: "Push-up", aliases: ["press up", "incline push up", "knee push up"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .elbow, guides: [.init(.handHeight, rest: -0.95, full: -0.3)], rest: 160, full: 80,
                minimumSwing: 22, duration: 0.25...12, phases: .downFirst)),
        traits: [
            BodyTrait(.elbow, .range, 28...150, tolerance: 9),
            BodyTrait(.trunk, .middle, 40...110, tolerance: 12),
            BodyTrait(.chestUp, .middle, -1 ... -0.55, tolerance: 0.15),
            BodyTrait(.shoulderRise, .range, 0.25...1.6, tolerance: 0.1),
            BodyTrait(.handHeight, .middle, -1.3 ... -0.3, tolerance: 0.15),
            BodyTrait(.hip, .range, 0...50, tolerance: 15),
            BodyTrait(.handRise, .range, 0...0.5, tolerance: 0.3),
        ],
        faults: [
            // Tolerances from 70 push-up clips labelled right: in the picture their elbows bend to less than 92 degrees
            // and stretch to more than 130, and their hips hang by less than 8.
            .atMost(
                75, tolerance: 17, .measure(.elbow, .low), in: .far, else: .shallow, joints: .elbows, plane: .sagittal),
            .atLeast(
                165, tolerance: 35, .measure(.elbow, .high), in: .rest, else: .notLockedOut, joints: .elbows,
                plane: .sagittal),
            .atMost(
                180, tolerance: 8, .measure(.bodyLine, .middle), in: .whole, else: .hipsSagging,
                joints: .hips, views: [.side, .diagonal], plane: .sagittal),
            .atLeast(
                170, tolerance: 22, .measure(.bodyLine, .middle), in: .whole, else: .hipsHigh, joints: .hips,
                views: [.side, .diagonal], plane: .sagittal),
            .atMost(
                0, tolerance: 30, .sideDifference(.elbow), in: .far, else: .uneven, joints: .elbows,
                views: [.front]),
            // Sixteen push-ups labelled right take 0.41 to 0.47 s each.
            .atLeast(0.6, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])
}
