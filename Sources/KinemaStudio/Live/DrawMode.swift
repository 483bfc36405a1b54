import Foundation
import Kinema
import KinemaDraw

struct DrawMode: LiveMode {
    var analysis: DrawAnalysis
    let subject = FramingCheck.Subject.hands
    private var colour = DrawingColour.usual
    private var lines = DrawnLines()
    private var aspectRatio = 1.0

    init(aspectRatio: Double, precision: ModelStore.Precision) {
        self.aspectRatio = aspectRatio
        var configuration = DrawAnalysis.Configuration()
        configuration.pipeline = .liveHands(HandPoseOptions(precision: precision, readsCloseUp: true))
        analysis = DrawAnalysis(configuration)
    }

    mutating func update() { lines.update(analysis.drawing?.strokes ?? [], colour: colour) }

    mutating func apply(_ command: DrawingCommand) {
        switch command {
        case .undo: analysis.apply(.undo)
        case .clear:
            analysis.apply(.clear)
            lines.isCleared = true
        case .colour(let colour): self.colour = colour
        }
        update()
    }

    mutating func write(to json: inout JSONText) {
        let pinching = analysis.hands.filter { $0.state == .pinched || $0.state == .possibleApart }
        json.object("draw") { json in
            json.field("pinching", strings: pinching.map { $0.side?.rawValue ?? "unknown" })
            json.objects("tips", analysis.states) { entry, hand in
                entry.field("state", hand.state.rawValue)
                entry.points("tips", [hand.thumbTip, hand.indexTip])
            }
            lines.write(to: &json)
        }
    }

    func summarise(_ session: inout StoredSession) {
        let strokes = analysis.drawing?.strokes ?? []
        session.pinches = analysis.result.pinches
        session.count = strokes.count
        guard session.count > 0 else { return }
        var picture = AirDrawing(strokes)
        picture.colors = strokes.map { Color(hex: lines.colour(of: $0).number) }
        // In the size of the usual picture; lines have no pixels of their own.
        session.drawing = try? picture.svg(width: Int((480 * aspectRatio).rounded()), height: 480)
    }
}
