extension Exercise {
    /// The forearms up to the shoulders and down; both at once or in turn.
    public static let bicepCurl = Exercise(
        name: "bicep_curl", title: "Biceps curl", aliases: ["biceps curl", "curl", "hammer curl", "dumbbell curl"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .elbow, isOneSided: true, rest: 155, full: 50, minimumSwing: 40, duration: 0.25...12,
                phases: .upFirst)),
        traits: [
            BodyTrait(.elbow, .range, 35...150, tolerance: 10),
            BodyTrait(.arm, .high, 0...50, tolerance: 12),
            BodyTrait(.handHeight, .high, -0.7...0.25, tolerance: 0.15),
            BodyTrait(.handHeight, .low, -1.3 ... -0.65, tolerance: 0.15),
            BodyTrait(.trunk, .middle, 0...30, tolerance: 12),
            BodyTrait(.knee, .range, 0...25, tolerance: 10),
            BodyTrait(.shoulderRise, .range, 0...0.3, tolerance: 0.12),
        ],
        faults: [
            .atMost(
                55, tolerance: 25, .measure(.elbow, .low), in: .far, else: .shallow, joints: .elbows, plane: .sagittal),
            .atLeast(
                155, tolerance: 20, .measure(.elbow, .high), in: .rest, else: .notLockedOut, joints: .elbows,
                plane: .sagittal),
            .atMost(
                5, tolerance: 10, .measure(.trunk, .range), in: .whole, else: .swinging, joints: .shoulders),
            .atMost(
                25, tolerance: 20, .measure(.arm, .high), in: .whole, else: .elbowsDrifting, joints: .elbows,
                plane: .sagittal),
            .atLeast(1, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])
}
