/// A throw of the game.
public struct TossThrow: Sendable {
    /// 1 for the game's first.
    public var number: Int
    /// Type, speed, angles, landing, score and times.
    public var metrics: ThrowMetrics
    /// Who let the bag go; nil when nobody was to be seen.
    public var release: Release?
    /// Where the bag was seen.
    public var spots: [TossTrajectory.Spot]
    /// The bag's way from the hand to the landing, at even steps of time.
    public var path: [TossTrajectory.Spot]
}

/// What the game tells.
public enum TossEvent: Sendable {
    /// The game went from one state to another.
    case stateChanged(from: GameState, to: GameState)
    /// A bag is in the air.
    case throwBegan
    /// A throw is over.
    case throwCompleted(TossThrow)
}
