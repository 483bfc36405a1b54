/// What state a session is in, in a word for programs and in words for people.
struct LiveState: Sendable, Equatable {
    /// The words of Documentation/studio.md.
    enum Name: String, Sendable {
        case connecting, live, reconnecting, nobody
        case stepBack = "step-back"
        case findingBoard = "finding-board"
        case calibrating, playing
    }

    var name: Name
    var message: String

    static let live = LiveState(name: .live, message: "")
    static let connecting = LiveState(name: .connecting, message: "Opening the source")
    static let reconnecting = LiveState(name: .reconnecting, message: "The source is gone; trying again")
    static let nobody = LiveState(name: .nobody, message: "Nobody is in view")
    static let noHands = LiveState(name: .nobody, message: "Hold a hand up so that the camera sees it")
    static let findingBoard = LiveState(name: .findingBoard, message: "Looking for the board; keep the camera still")
    static let calibrating = LiveState(name: .calibrating, message: "The board is found; step in to throw")
    static let playing = LiveState(name: .playing, message: "Throw")
    static let gameOver = LiveState(name: .playing, message: "The game is over")

    var text: SocketMessage {
        .json { json in
            json.pair("type", "state")
            json.pair("state", name.rawValue)
            json.pair("message", message)
        }
    }
}
