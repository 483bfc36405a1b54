import Foundation
import Kinema
import KinemaDraw

/// The paths of all throws of a game in the picture, and its averages; not over time.
struct PathPanel: SessionPanel {
    private let paths: [[CGPoint]]
    private let board: [CGPoint]
    private let title: String
    private let aspectRatio: Double

    private static let fieldHeight = 330.0

    init(_ session: StoredSession) {
        func point(_ pair: ArraySlice<Double>) -> CGPoint? {
            pair.count == 2 ? CGPoint(x: pair[pair.startIndex], y: pair[pair.startIndex + 1]) : nil
        }
        paths = session.throwsMade.map { $0.path.compactMap { point($0.dropFirst()) } }
        board = session.game?.board?.corners.compactMap { point($0[...]) } ?? []
        aspectRatio = min(max(session.game?.aspectRatio ?? 16 / 9, 0.4), 2.8)
        title = ["paths", session.game?.text].compactMap(\.self).joined(separator: ": ")
    }

    let height = fieldHeight + 50

    func draw(on canvas: Canvas, time: ChartScale, top: Double) {
        canvas.text(title, at: CGPoint(x: time.from, y: top + 18), size: 14, color: SessionChart.ink)
        let field = CGRect(x: time.from, y: top + 26, width: Self.fieldHeight * aspectRatio, height: Self.fieldHeight)
        TossChart.draw(paths, board: board, in: field, on: canvas)
    }
}
