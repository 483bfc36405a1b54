package struct TossThrow: Sendable {
    package var number: Int
    package var metrics: ThrowMetrics
    /// The release; nil if nobody was in view.
    var release: Release?
    package var samples: [TossTrajectory.Sample]
    /// The bag's path from the hand to the landing, at equal time steps.
    package var path: [TossTrajectory.Sample]
    /// The ground according to this throw.
    var view: FieldView
}
