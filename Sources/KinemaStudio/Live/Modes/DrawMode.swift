import Foundation
import Kinema
import KinemaCore
import KinemaDraw
import KinemaMotion
import KinemaVision

/// Draws in the air with pinches.
struct DrawMode: LiveMode {
    let wish = FramingJudge.Wish.hands
    private let precision: ModelStore.Precision
    private var drawing: PinchDrawing
    private var colour = DrawingColour.usual
    private var lines = DrawnLines()
    private var pinching: [String] = []
    private var pinchesTold = 0
    private let aspectRatio: Double

    /// More lines than a picture can hold: the oldest go, so that a drawing left to itself does not grow for ever.
    private static let most = 2000

    init(aspectRatio: Double, precision: ModelStore.Precision) {
        self.precision = precision
        self.aspectRatio = aspectRatio
        drawing = PinchDrawing(aspectRatio: aspectRatio)
    }

    /// Hands as the model gives them, since smoothing would make the tips meet late.
    var pipeline: PosePipeline {
        var pipeline = PosePipeline.handsOnly(HandPoseOptions(precision: precision), smooths: false)
        pipeline.readsAhead = false
        return pipeline
    }

    mutating func take(_ seen: PosedFrame) -> [LiveEvent] {
        let states = drawing.append(seen.hands, at: seen.frame.time)
        pinching = states.filter { $0.state == .pinched || $0.state == .possibleApart }.map { state in
            Self.name(seen.hands.first { $0.pose.id == state.id }?.chirality)
        }
        let news = news()
        drawing.forget(linesBeyond: Self.most)
        pinchesTold = min(pinchesTold, Self.most)
        lines.update(drawing.strokes, colour: colour)
        return news
    }

    mutating func obey(_ command: DrawingCommand) {
        switch command {
        case .undo: drawing.undo()
        case .clear:
            drawing.clear()
            lines.isCleared = true
        case .colour(let colour): self.colour = colour
        }
        lines.update(drawing.strokes, colour: colour)
    }

    /// Pinches that go on end with the recording.
    mutating func finish() -> [LiveEvent] { news() + drawing.openPinches.map { .pinch(Self.kept($0)) } }

    mutating func write(to json: inout JSONText) {
        json.key("draw")
        json.object { json in
            json.key("pinching")
            json.array { list in pinching.forEach { list.string($0) } }
            lines.write(to: &json)
        }
    }

    func summarise(_ session: inout KeptSession) {
        session.pinches = drawing.pinches.map(Self.kept)
        session.count = drawing.strokes.count
        guard session.count > 0 else { return }
        var picture = AirDrawing(drawing.strokes)
        picture.colors = drawing.strokes.map { Color(hex: lines.colour(of: $0).number) }
        // In the size of the usual picture; lines have no pixels of their own.
        session.drawing = try? picture.svg(width: Int((480 * aspectRatio).rounded()), height: 480)
    }

    private mutating func news() -> [LiveEvent] {
        let ended = drawing.endedPinches
        defer { pinchesTold = ended.count }
        return ended.dropFirst(pinchesTold).map { .pinch(Self.kept($0)) }
    }

    private static func kept(_ pinch: Pinch) -> KeptSession.Pinch {
        KeptSession.Pinch(hand: name(pinch.hand), start: pinch.start, end: pinch.end)
    }

    private static func name(_ side: HumanHandPoseObservation.Chirality?) -> String { side?.rawValue ?? "unknown" }
}
