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

    func isValidNextState(_ next: GameState) -> Bool {
        if next == .inactive { return self != .inactive }
        return switch self {
        case .inactive: next == .setupCamera
        case .setupCamera: next == .detectingBoard
        case .detectingBoard: next == .detectedBoard
        case .detectedBoard: next == .detectingPlayer
        case .detectingPlayer: next == .detectedPlayer
        case .detectedPlayer: next == .trackThrows
        case .trackThrows: next == .throwCompleted || next == .showSummary
        case .throwCompleted: next == .showSummary || next == .trackThrows
        case .showSummary: next == .detectingPlayer
        }
    }
}
