/// What state a session is in, in a word for programs and in words for people.
struct SessionState: Sendable, Equatable {
    /// The words of Documentation/studio.md.
    enum Name: String, Sendable {
        case connecting, live, reconnecting, nobody
        case stepBack = "step-back"
        case findingBoard = "finding-board"
        case calibrating, playing
    }

    var name: Name
    var message: String

    static let live = SessionState(name: .live, message: "")
    static let connecting = SessionState(name: .connecting, message: "Opening the source")
    static func reconnecting(_ reason: String) -> SessionState {
        SessionState(name: .reconnecting, message: "Lost, trying again: \(reason)")
    }
    static let nobody = SessionState(name: .nobody, message: "Nobody is in view")
    static let noHands = SessionState(name: .nobody, message: "Hold a hand up so that the camera sees it")
    static let findingBoard = SessionState(name: .findingBoard, message: "Looking for the board; keep the camera still")
    static let keepStill = SessionState(name: .findingBoard, message: "The camera moves; keep it still")
    static let calibrating = SessionState(name: .calibrating, message: "The board is found; step in to throw")
    static let playing = SessionState(name: .playing, message: "Throw")
    static let gameOver = SessionState(name: .playing, message: "The game is over")

    var text: SocketMessage {
        .json { json in
            json.pair("type", "state")
            json.pair("state", name.rawValue)
            json.pair("message", message)
        }
    }
}
