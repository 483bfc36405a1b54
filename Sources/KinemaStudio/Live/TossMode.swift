import Foundation
import Kinema
import KinemaDraw
import KinemaToss

struct TossMode: LiveMode {
    var analysis: TossAnalysis

    init(
        _ request: StartRequest, board: NormalizedBox?, throwClassifier: (any ThrowTypeClassifier)?,
        precision: ModelStore.Precision
    ) {
        var configuration = TossAnalysis.Configuration(
            pipeline: .live(people: request.people ?? .prominent, precision: precision))
        configuration.board = board
        configuration.rules.direction = request.direction ?? configuration.rules.direction
        configuration.rules.maxThrows = request.`throws`?.count ?? configuration.rules.maxThrows
        configuration.throwClassifier = throwClassifier ?? configuration.throwClassifier
        analysis = TossAnalysis(configuration)
    }

    var state: SessionState? {
        switch analysis.guidance {
        case .locatingBoard: .findingBoard
        case .keepStill: .keepStill
        case .placeBoard: .placeBoard
        case .boardOnly: .boardOnly
        case .stepIn, .go: .calibrating
        case .play: .playing
        case .gameOver: .gameOver
        }
    }

    func write(to json: inout JSONText) {
        let summary = analysis.result.summary
        json.object("toss") { json in
            json.field("state", analysis.state.rawValue)
            json.field("board", encoded: summary.board)
            json.field("line", encoded: summary.line)
            json.box("guide", analysis.guide)
            json.key("player")
            if let player = analysis.player {
                json.object { json in
                    json.field("id", player.id)
                    json.box("box", player.box)
                    json.field("distance_m", player.distance, decimals: 2)
                    json.field("distance_ft", player.distance.map { $0 * TossRules.feet }, decimals: 1)
                }
            } else {
                json.null()
            }
            json.points("path", analysis.path)
            json.field("count", analysis.throwCount)
            let most = analysis.configuration.rules.maxThrows
            json.field("most", most == .max ? nil : most)
            json.field("total", summary.total)
            if analysis.state == .showSummary { json.field("game", encoded: summary) }
        }
    }

    func summarise(_ session: inout StoredSession) {
        session.throwsMade = analysis.result.throwList
        session.game = session.throwsMade.isEmpty ? nil : analysis.result.summary
        session.count = session.throwsMade.count
    }
}
