/// Where a game of bean-bag toss stands; the states and the ways between them are those of Apple's Action & Vision.
public enum GameState: String, CaseIterable, Codable, Sendable {
    /// Nothing is going on.
    case inactive
    /// The camera or the file is being opened.
    case setupCamera
    /// The board is looked for, and the scene has to be still.
    case detectingBoard
    /// The board is known.
    case detectedBoard
    /// Somebody is waited for.
    case detectingPlayer
    /// Somebody is there.
    case detectedPlayer
    /// Throws are followed.
    case trackThrows
    /// A throw has just ended.
    case throwCompleted
    /// The game is over.
    case showSummary

    /// Whether the game may pass from this state to another.
    public func isValidNextState(_ next: GameState) -> Bool {
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
