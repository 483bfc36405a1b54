import Foundation
import Kinema
import KinemaDraw

/// What `kinema gesture` makes of a film: pinches, and what the hands draw.
struct GestureAnalysis: FilmAnalysis {
    private let results: GestureResults
    private var frames = 0
    private var states: [PinchDrawing.HandState] = []
    private(set) var drawing: PinchDrawing

    init(rule: PinchRule, results: GestureResults, reading: Reading) {
        self.results = results
        drawing = PinchDrawing(rule: rule, aspectRatio: Double(reading.width) / Double(max(1, reading.height)))
    }

    mutating func take(_ element: TemporalFeature<PosedFrame>) throws {
        let (frame, hands) = (element.feature.frame, element.feature.hands)
        states = drawing.append(hands, at: frame.time)
        try results.write(hands, states, number: frames, time: frame.time)
        frames += 1
    }

    var hud: HUD { HUD(count: drawing.pinches.count, one: "pinch", several: "pinches") }
    var strip: StripChart? { nil }
    var faults: [Int: Set<JointKey>] { [:] }
    var note: String { PlainText.counted(drawing.pinches.count, "pinch", "pinches") }

    /// The lines so far and a ring a hand: green pinched, orange perhaps, red apart, as in the HandPose sample.
    var gestures: GestureOverlay? {
        let marks = states.map { hand -> GestureOverlay.Mark in
            let color =
                switch hand.state {
                case .pinched: Color(hex: 0x1FD6A0)
                case .possiblePinch, .possibleApart: Color(hex: 0xFFA81E)
                case .apart, .unknown: Color.fault
                }
            return GestureOverlay.Mark(point: hand.point, color: color)
        }
        return GestureOverlay(strokes: drawing.strokes, marks: marks)
    }
}
