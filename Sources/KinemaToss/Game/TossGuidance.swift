/// The instruction to the player before the next throw counts.
public enum TossGuidance: String, CaseIterable, Codable, Sendable {
    /// The board is searched for.
    case locatingBoard
    /// The camera moves, so neither the board nor a bag can be followed.
    case keepStill
    /// The camera stands still, but no board is found.
    case placeBoard
    /// The board fills the picture, so nobody can be seen throwing.
    case boardOnly
    /// The board is found, and a player is waited for.
    case stepIn
    /// The game begins.
    case go
    /// Throws are followed.
    case play
    /// The summary is shown.
    case gameOver

    /// The guidance in words, those of Apple's Action & Vision except for a board that fills the picture; may be empty.
    public var text: String {
        switch self {
        case .locatingBoard: "Locating the board"
        case .keepStill: "Keep the device still"
        case .placeBoard: "Place the board in the box"
        case .boardOnly: "Move the camera to the side, so that it sees the player too"
        case .stepIn: "Board detected"
        case .go: "Go"
        case .play: ""
        case .gameOver: "Game over"
        }
    }
}
