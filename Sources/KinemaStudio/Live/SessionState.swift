import KinemaToss

struct SessionState: Sendable, Equatable {
    enum Name: String, Sendable {
        case connecting, live, reconnecting, nobody
        case stepBack = "step-back"
        case findingBoard = "finding-board"
        case keepStill = "keep-still"
        case placeBoard = "place-board"
        case boardOnly = "board-only"
        case calibrating, playing
        case gameOver = "game-over"
    }

    var name: Name
    var message: String
    /// More detail for programs.
    var detail: String?

    static let live = SessionState(name: .live, message: "")
    static let connecting = SessionState(name: .connecting, message: "Opening the source")
    static func reconnecting(_ reason: String) -> SessionState {
        SessionState(name: .reconnecting, message: "Lost, retrying: \(reason)")
    }
    static let nobody = SessionState(name: .nobody, message: "No one is in view")
    static let noHands = SessionState(
        name: .nobody, message: "Hold up a hand so that the camera sees it", detail: "hands")
    static let feetOutside = SessionState(
        name: .stepBack, message: "Step back so that your feet are in view", detail: "feet")
    static let headOutside = SessionState(
        name: .stepBack, message: "Step back so that your head shows", detail: "head")
    static let sideOutside = SessionState(
        name: .stepBack, message: "Move so that your whole body is in the frame", detail: "side")
    static let findingBoard = SessionState(name: .findingBoard, message: TossGuidance.locatingBoard.text)
    static let keepStill = SessionState(name: .keepStill, message: TossGuidance.keepStill.text)
    static let placeBoard = SessionState(name: .placeBoard, message: TossGuidance.placeBoard.text)
    static let boardOnly = SessionState(name: .boardOnly, message: TossGuidance.boardOnly.text)
    static let calibrating = SessionState(name: .calibrating, message: "Board detected; step in to throw")
    static let playing = SessionState(name: .playing, message: "Throw")
    static let gameOver = SessionState(name: .gameOver, message: TossGuidance.gameOver.text)
}
