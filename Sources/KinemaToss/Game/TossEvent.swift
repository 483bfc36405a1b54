/// An event in the game.
package enum TossEvent: Sendable {
    /// The game went from one state to another.
    case stateChanged(from: GameState, to: GameState)
    /// A bag is in the air.
    case throwBegan
    /// A throw ended.
    case throwCompleted(TossThrow)
}
