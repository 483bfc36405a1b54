extension Exercise {
    /// Face down on the forearms or hands and the toes, straight as a board, for as long as it lasts.
    public static let plank = Exercise(
        name: "plank", title: "Plank", aliases: ["forearm plank"],
        kind: .hold(minimum: 2),
        traits: [
            BodyTrait(.trunk, .middle, 60...110, tolerance: 10),
            BodyTrait(.chestUp, .middle, -1 ... -0.6, tolerance: 0.15),
            BodyTrait(.knee, .middle, 140...180, tolerance: 12),
            BodyTrait(.bodyLine, .middle, 140...215, tolerance: 12),
            BodyTrait(.shoulderRise, .range, 0...0.08, tolerance: 0.05),
            BodyTrait(.elbow, .range, 0...12, tolerance: 8),
        ],
        faults: [
            .atMost(
                180, tolerance: 15, .measure(.bodyLine, .middle), in: .whole, else: .hipsSagging,
                joints: .hips, views: [.side, .diagonal], plane: .sagittal),
            .atLeast(
                170, tolerance: 18, .measure(.bodyLine, .middle), in: .whole, else: .hipsHigh, joints: .hips,
                views: [.side, .diagonal], plane: .sagittal),
        ])
}
