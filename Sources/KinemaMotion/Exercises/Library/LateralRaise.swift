extension Exercise {
    /// Stretched arms sideways to shoulder height, and down.
    public static let lateralRaise = Exercise(
        name: "lateral_raise", title: "Lateral raise", aliases: ["side raise"], views: [.front, .diagonal],
        kind: .repetitions(
            ExerciseMotion(
                measure: .arm, isOneSided: true, rest: 12, full: 90, minimumSwing: 32, duration: 0.25...12,
                phases: .upFirst)),
        traits: [
            BodyTrait(.arm, .high, 60...125, tolerance: 12),
            BodyTrait(.elbow, .middle, 130...180, tolerance: 12),
            BodyTrait(.armSideways, .high, 0.75...1, tolerance: 0.12),
            BodyTrait(.armForward, .high, -1...0.5, tolerance: 0.15),
            BodyTrait(.handHeight, .low, -1.3 ... -0.6, tolerance: 0.15),
            BodyTrait(.handHeight, .high, -0.4...0.5, tolerance: 0.2),
            BodyTrait(.trunk, .middle, 0...30, tolerance: 12),
            BodyTrait(.knee, .range, 0...25, tolerance: 10),
            BodyTrait(.legSpread, .range, 0...14, tolerance: 6),
        ],
        faults: raiseFaults(plane: .frontal))
}
