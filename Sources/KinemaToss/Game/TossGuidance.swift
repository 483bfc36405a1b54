/// What the player has to do, or to wait for, before the next throw counts.
package enum TossGuidance: String, CaseIterable, Codable, Sendable {
    /// The board is searched for.
    case locatingBoard
    /// The camera moves, so neither the board nor a bag can be followed.
    case keepStill
    /// The camera stands still, but no board is found: it has to be brought into the box, or the box to it.
    case placeBoard
    /// The board fills the picture, so nobody can be seen throwing.
    case boardOnly
    /// The board is found, and a player is waited for.
    case stepIn
    /// The player is found.
    case go
    /// Throws are followed.
    case play
    /// The game is over.
    case gameOver

    /// The guidance in words; empty while there is nothing to say. Those of Apple's Action & Vision, but for a board that
    /// fills the picture.
    package var text: String {
        switch self {
        case .locatingBoard: "Locating the board"
        case .keepStill: "Keep the device still"
        case .placeBoard: "Place the board into the box"
        case .boardOnly: "Move the camera to the side, so that it sees the player too"
        case .stepIn: "Board detected"
        case .go: "Go"
        case .play: ""
        case .gameOver: "Game over"
        }
    }
}
