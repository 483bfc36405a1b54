import Foundation
import KinemaCore
public import KinemaDraw
public import KinemaMotion

/// Finds pinches and what hands draw with them in the air.
public struct DrawAnalysis: Analysis {
    /// How pinches are found.
    public struct Configuration: Sendable {
        /// What counts as a pinch.
        public var rule = PinchRule.strict()
        /// How hands are found: as the model gives them, since smoothing would make the tips meet late.
        public var pipeline = PosePipeline.handsOnly(HandPoseOptions(), smooths: false)
        /// Whether what the hands do is told frame by frame, in place of the pinches that ended.
        public var tellsFrames = false
        /// The most lines that are kept; the oldest go, so that a drawing left to itself does not grow for ever.
        public var maximumLines = 2000

        /// Follows both hands of one person and draws while the tips really meet.
        public init() {}
    }

    /// How it looks for pinches.
    public let configuration: Configuration
    /// The drawing so far; nil before the first frame.
    public private(set) var drawing: PinchDrawing?
    /// What each hand does in the newest frame.
    public private(set) var states: [PinchDrawing.HandState] = []
    private var newest: PosedFrame?
    private var frames = 0
    private var pinchesTold = 0

    /// Makes an analysis that has seen nothing yet.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// How hands are found.
    public var pipeline: PosePipeline { configuration.pipeline }

    /// Takes the next frame; tells the pinches that ended or, when asked for, what each hand does.
    public mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        var drawing = begin(frame)
        states = drawing.append(frame.hands, at: frame.frame.time)
        self.drawing = drawing
        newest = frame
        defer { frames += 1 }
        let told = newPinches()
        // The oldest go, so that a drawing left to itself does not grow for ever.
        self.drawing?.forget(linesBeyond: configuration.maximumLines)
        pinchesTold = min(pinchesTold, configuration.maximumLines)
        guard configuration.tellsFrames else { return told }
        return [.hands(HandFrame(frame: frames, time: frame.frame.time, states, of: frame.hands))]
    }

    /// Ends the stream; pinches that go on end with it.
    public mutating func finish() -> [AnalysisEvent] {
        guard !configuration.tellsFrames else { return [] }
        return newPinches() + (drawing?.openPinches ?? []).map { .pinch(PinchResult($0)) }
    }

    /// Changes the drawing, as a person who draws asks for it.
    public mutating func apply(_ change: DrawingChange) {
        switch change {
        case .undo: drawing?.undo()
        case .clear: drawing?.clear()
        }
    }

    /// What each hand in view does, and which side it is.
    package var hands: [(state: HandGestureProcessor.State, side: HumanHandPoseObservation.Chirality?)] {
        states.map { state in (state.state, newest?.hands.first { $0.pose.id == state.id }?.chirality) }
    }

    /// The pinches and lines so far.
    public var result: DrawResult { DrawResult(pinches: drawing?.pinches ?? [], strokes: drawing?.strokes ?? []) }

    /// The lines so far, the hands, and a ring on each: green while pinched, orange in doubt, red apart, as in seed 001.
    public var layers: [OverlayLayer] {
        guard let newest else { return [] }
        let marks = states.map { hand -> GestureOverlay.Mark in
            let color: Color =
                switch hand.state {
                case .pinched: Color(hex: 0x1FD6A0)
                case .possiblePinch, .possibleApart: Color(hex: 0xFFA81E)
                case .apart, .unknown: .fault
                }
            return GestureOverlay.Mark(point: hand.point, color: color)
        }
        return [
            .drawing(GestureOverlay(strokes: drawing?.strokes ?? [], marks: marks)), .hands(newest.hands.map(\.pose)),
            .hud(HUD(count: drawing?.pinches.count ?? 0, one: "pinch", several: "pinches")),
        ]
    }

    /// The pinches in words.
    public var summary: String { PlainText.counted(drawing?.pinches.count ?? 0, "pinch", "pinches") }

    private mutating func begin(_ frame: PosedFrame) -> PinchDrawing {
        drawing.take() ?? PinchDrawing(rule: configuration.rule, aspectRatio: frame.frame.aspectRatio)
    }

    private mutating func newPinches() -> [AnalysisEvent] {
        let ended = drawing?.endedPinches ?? []
        defer { pinchesTold = ended.count }
        return ended.dropFirst(pinchesTold).map { .pinch(PinchResult($0)) }
    }
}

/// What a person who draws can ask for.
public enum DrawingChange: Sendable, Hashable {
    /// Take the last line back.
    case undo
    /// Empty the drawing.
    case clear
}

/// What the hands of one frame do; a line of `kinema gesture --format jsonl`.
public struct HandFrame: Codable, Sendable, Hashable {
    /// One hand.
    public struct Hand: Codable, Sendable, Hashable {
        /// The hand's number.
        public var id: Int
        /// Left or right, as the person sees it; null when nobody can tell.
        @Nullable public var hand: String?
        /// What its tips do.
        public var state: String
        /// The middle between the tips: x and y, normalised, origin at the lower left.
        public var point: [Double]
    }

    /// The frame's number, from 0.
    public var frame: Int
    /// Seconds from the first frame.
    public var time: Double
    /// The hands in it.
    public var hands: [Hand]

    init(
        frame: Int, time: TimeInterval, _ states: [PinchDrawing.HandState], of hands: [HumanHandPoseObservation]
    ) {
        self.frame = frame
        self.time = time.rounded(to: 6)
        self.hands = states.map { state in
            let side = hands.first { $0.pose.id == state.id }?.chirality
            return Hand(id: state.id, hand: side?.rawValue, state: state.state.rawValue, point: state.point.pair)
        }
    }
}

/// A pinch; the JSON of `kinema gesture`.
public struct PinchResult: Codable, Sendable, Hashable {
    /// The hand's number.
    public var id: Int
    /// Left or right, as the person sees it; null when nobody can tell.
    @Nullable public var hand: String?
    /// When the tips met and were apart again, seconds.
    public var start: Double, end: Double

    init(_ pinch: Pinch) {
        (id, hand) = (pinch.id, pinch.hand?.rawValue)
        (start, end) = (pinch.start.rounded(to: 4), pinch.end.rounded(to: 4))
    }
}

/// Pinches and what was drawn with them; the JSON of `kinema gesture`.
public struct DrawResult: AnalysisResult, Hashable {
    /// A line drawn in the air.
    public struct Line: Codable, Sendable, Hashable {
        /// Left or right; null when nobody can tell.
        @Nullable public var hand: String?
        /// The hand's number.
        public var id: Int
        /// When it was begun and ended, seconds.
        public var start: Double, end: Double
        /// Its points: x and y, normalised, origin at the lower left.
        public var points: [[Double]]
    }

    /// The pinches in order of time.
    public var pinches: [PinchResult]
    /// The lines in order of time.
    public var strokes: [Line]

    init(pinches: [Pinch], strokes: [Stroke]) {
        self.pinches = pinches.map(PinchResult.init)
        self.strokes = strokes.map { stroke in
            Line(
                hand: stroke.hand?.rawValue, id: stroke.id, start: (stroke.times.first ?? 0).rounded(to: 4),
                end: (stroke.times.last ?? 0).rounded(to: 4), points: stroke.points.map(\.pair))
        }
    }

    /// One row a pinch.
    public static var columns: [String] { ["pinch", "id", "hand", "start", "end"] }

    /// The pinches.
    public var rows: [[String]] {
        pinches.enumerated().map { ["\($0 + 1)", "\($1.id)", $1.hand ?? "", "\($1.start)", "\($1.end)"] }
    }

    /// How many pinches there are, then each.
    public func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(PlainText.counted(pinches.count, "pinch", "pinches")) in \(run.extent)"]
            + (run.framesWithSomeone == 0 ? ["no hand found"] : [])
            + pinches.enumerated().map { index, pinch in
                "  \(index + 1).  \(pinch.start.text(2)) to \(pinch.end.text(2)) s, hand \(pinch.id)"
                    + (pinch.hand.map { ", \($0)" } ?? "")
            }
    }
}
