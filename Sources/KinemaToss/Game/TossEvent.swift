package enum TossEvent: Sendable {
    case stateChanged(from: GameState, to: GameState)
    case throwBegan
    case throwCompleted(TossThrow)
}
