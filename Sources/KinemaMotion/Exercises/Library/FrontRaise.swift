extension Exercise {
    /// Stretched arms ahead to shoulder height, and down; both at once or in turn.
    public static let frontRaise = Exercise(
        name: "front_raise", title: "Front raise",
        kind: .repetitions(
            ExerciseMotion(
                measure: .arm, isOneSided: true, rest: 12, full: 90, minimumSwing: 32, duration: 0.25...12,
                phases: .upFirst)),
        traits: [
            BodyTrait(.arm, .high, 60...125, tolerance: 12),
            BodyTrait(.elbow, .middle, 130...180, tolerance: 12),
            BodyTrait(.armForward, .high, 0.75...1, tolerance: 0.12),
            BodyTrait(.armSideways, .high, -1...0.5, tolerance: 0.15),
            BodyTrait(.handHeight, .low, -1.3 ... -0.6, tolerance: 0.15),
            BodyTrait(.handHeight, .high, -0.4...0.5, tolerance: 0.2),
            BodyTrait(.trunk, .middle, 0...30, tolerance: 12),
            BodyTrait(.knee, .range, 0...25, tolerance: 10),
        ],
        faults: raiseFaults(plane: .sagittal))

    /// What can go wrong in raises to the front and to the side.
    static func raiseFaults(plane: FaultRule.Plane) -> [FaultRule] {
        [
            .atLeast(85, tolerance: 15, .measure(.arm, .high), in: .far, else: .shallow, joints: .wrists, plane: plane),
            .atLeast(
                155, tolerance: 25, .measure(.elbow, .middle), in: .far, else: .armsBent, joints: .elbows, plane: plane),
            .atMost(0, tolerance: 22, .sideDifference(.arm), in: .far, else: .uneven, joints: .wrists),
            .atMost(5, tolerance: 10, .measure(.trunk, .range), in: .whole, else: .swinging, joints: .shoulders),
            .atLeast(1, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ]
    }
}
