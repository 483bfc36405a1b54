/// The state of a game. States and transitions are those of Apple's Action & Vision.
public enum GameState: String, CaseIterable, Codable, Sendable {
    /// Not started.
    case inactive
    /// The camera or the file opens.
    case setupCamera
    /// Searching for the board, which requires a still scene.
    case detectingBoard
    /// The board is known.
    case detectedBoard
    /// Waiting for a player.
    case detectingPlayer
    /// A player is in view; throws are followed in a moment.
    case detectedPlayer
    /// Throws are followed.
    case trackThrows
    /// A throw just ended.
    case throwCompleted
    /// The game is over.
    case showSummary

    private static let following: [GameState: Set<GameState>] = [
        .inactive: [.setupCamera], .setupCamera: [.detectingBoard], .detectingBoard: [.detectedBoard],
        .detectedBoard: [.detectingPlayer], .detectingPlayer: [.detectedPlayer], .detectedPlayer: [.trackThrows],
        .trackThrows: [.throwCompleted, .showSummary], .throwCompleted: [.showSummary, .trackThrows],
        .showSummary: [.detectingPlayer],
    ]

    func isValidNextState(_ next: GameState) -> Bool {
        next == .inactive ? self != .inactive : Self.following[self]?.contains(next) == true
    }
}
