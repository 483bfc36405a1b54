@testable import KinemaToss
import Testing

@Suite("States of the game")
struct GameStateTests {
    @Test(arguments: [
        (GameState.inactive, [GameState.setupCamera]), (.setupCamera, [.inactive, .detectingBoard]),
        (.detectingBoard, [.inactive, .detectedBoard]), (.detectedBoard, [.inactive, .detectingPlayer]),
        (.detectingPlayer, [.inactive, .detectedPlayer]), (.detectedPlayer, [.inactive, .trackThrows]),
        (.trackThrows, [.inactive, .throwCompleted, .showSummary]),
        (.throwCompleted, [.inactive, .trackThrows, .showSummary]), (.showSummary, [.inactive, .detectingPlayer]),
    ])
    func `each state leads where the sample's does`(state: GameState, next: [GameState]) {
        #expect(GameState.allCases.filter { state.isValidNextState($0) } == next)
    }

    @Test
    func `points are those of the sample, under the leg five times as many`() {
        let table: [(TossLanding, ThrowType, Int)] = [
            (.off, .underleg, 0), (.off, .overhand, 0), (.board, .overhand, 1), (.board, .underhand, 1),
            (.board, .none, 1), (.board, .underleg, 5), (.hole, .overhand, 3), (.hole, .underhand, 3),
            (.hole, .none, 3), (.hole, .underleg, 15),
        ]
        for (landing, type, points) in table { #expect(Scoring(landing, type: type).rawValue == points) }
        #expect(Scoring.maximum(throws: 8) == 120)
    }

    @Test
    func `a classifier's labels are types whatever their capitals`() {
        #expect(ThrowType(label: "underleg") == .underleg)
        #expect(ThrowType(label: "Overhand") == .overhand)
        #expect(ThrowType(label: "NONE") == ThrowType.none)
        #expect(ThrowType(label: "walking") == nil)
    }
}
