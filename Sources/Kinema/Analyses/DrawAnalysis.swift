public import KinemaMotion
import Foundation
import KinemaCore
public import KinemaDraw

/// Detects pinches and the lines that hands draw with them.
public struct DrawAnalysis: Analysis, PoseOnlyAnalysis {
    /// The configuration of the analysis.
    public struct Configuration: Sendable {
        /// The rule that defines a pinch.
        public var rule = PinchRule.scored
        /// Detects hands unsmoothed, since smoothing delays the touch of the fingertips, and reads each from a
        /// close-up.
        public var pipeline = PosePipeline.handsOnly(HandPoseOptions(readsCloseUp: true), smooths: false)
        /// Whether to report the hands in every frame instead of the pinches that ended.
        public var reportsFrames = false
        /// The maximum number of lines; the oldest are removed, so that an unattended drawing does not grow for ever.
        package var maximumLines = 2000
        /// Whether to keep the evidence of each frame and the reasons why close tips were not a pinch.
        package var explains = false

        /// Tracks both hands of one person and draws while the fingertips touch.
        public init() {}
    }

    /// The configuration.
    package let configuration: Configuration
    /// The drawing so far; nil before the first frame.
    public private(set) var drawing: PinchDrawing?
    /// The state of each hand in the newest frame.
    package private(set) var states: [PinchDrawing.HandState] = []
    package private(set) var explanations: [PinchExplanation] = []
    private var newest: PosedFrame?
    private var frames = 0, reportedPinchCount = 0
    /// The minimum number of explanations kept: an hour of one hand at 30 frames a second.
    private static let maximumExplanations = 108_000

    /// Creates an analysis that has not processed any frames.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// The pipeline that detects hands.
    public var pipeline: PosePipeline { configuration.pipeline }

    /// Processes the next frame; returns the pinches that ended or, if requested, the state of each hand.
    public mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        var drawing = drawing.take() ?? PinchDrawing(rule: configuration.rule, aspectRatio: frame.frame.aspectRatio)
        states = drawing.append(frame.hands, at: frame.frame.time)
        self.drawing = drawing
        newest = frame
        if configuration.explains {
            explanations += states.compactMap { PinchExplanation($0, frame: frames, time: frame.frame.time) }
            if explanations.count > 2 * Self.maximumExplanations {
                explanations.removeFirst(explanations.count - Self.maximumExplanations)
            }
        }
        defer { frames += 1 }
        let ended = newPinches()
        self.drawing?.keepNewest(configuration.maximumLines)
        reportedPinchCount = min(reportedPinchCount, configuration.maximumLines)
        guard configuration.reportsFrames else { return ended }
        return [.hands(HandFrame(frame: frames, time: frame.frame.time, states, of: frame.hands))]
    }

    /// Ends the stream; open pinches end with it.
    public mutating func finish() -> [AnalysisEvent] {
        drawing?.finish()
        guard !configuration.reportsFrames else { return [] }
        return newPinches() + (drawing?.openPinches ?? []).map { .pinch(PinchResult($0)) }
    }

    /// Changes the drawing at the user's request.
    public mutating func apply(_ change: DrawingChange) {
        switch change {
        case .undo: drawing?.undo()
        case .clear: drawing?.clear()
        }
    }

    package var hands: [(state: HandGestureProcessor.State, side: HumanHandPoseObservation.Chirality?)] {
        states.map { state in (state.state, newest?.hands.first { $0.pose.id == state.id }?.chirality) }
    }

    /// The pinches and lines so far.
    public var result: DrawResult { DrawResult(pinches: drawing?.pinches ?? [], strokes: drawing?.strokes ?? []) }

    /// The lines so far, the hands, and rings on both tips: green when pinched, orange when uncertain, red when apart.
    public var layers: [OverlayLayer] {
        guard let newest else { return [] }
        let marks = states.flatMap { hand -> [GestureOverlay.Mark] in
            let color: Color =
                switch hand.state {
                case .pinched: Color(hex: 0x1FD6A0)
                case .possiblePinch, .possibleApart: Color(hex: 0xFFA81E)
                case .apart, .unknown: .fault
                }
            return [hand.thumbTip, hand.indexTip].map { ($0, color) }
        }
        return [
            .drawing(GestureOverlay(strokes: drawing?.strokes ?? [], marks: marks)), .hands(newest.hands.map(\.pose)),
            .hud(HUD(count: drawing?.pinches.count ?? 0, one: "pinch", several: "pinches")),
        ]
    }

    /// The time of an open hand, a pinch and its end: about three frames each at 30 frames a second.
    public var neededSeconds: Double { 0.3 }

    /// The pinches in words.
    public var summary: String { PlainText.counted(drawing?.pinches.count ?? 0, "pinch", "pinches") }

    private mutating func newPinches() -> [AnalysisEvent] {
        let ended = drawing?.endedPinches ?? []
        defer { reportedPinchCount = ended.count }
        return ended.dropFirst(reportedPinchCount).map { .pinch(PinchResult($0)) }
    }
}

/// A change to the drawing that the user can request.
public enum DrawingChange: Sendable, Hashable {
    /// Remove the last line.
    case undo
    /// Remove all lines.
    case clear
}

/// A line of `kinema gesture --explain`: the evidence of a frame, and the reason why close tips did not pinch.
package struct PinchExplanation: Codable, Sendable, Hashable {
    package var frame: Int
    package var time: Double
    package var id: Int
    package var state: HandGestureProcessor.State
    /// The quantities, in hand lengths.
    package var gap: Double, reach: Double, opening: Double, depth: Double
    /// The log-odds of this frame that the tips touch, and their average over the last moments, which decides.
    package var score: Double, average: Double
    /// The reason why close tips do not pinch; null if they are apart or pinch.
    @Nullable package var refused: String?

    init?(_ hand: PinchDrawing.HandState, frame: Int, time: TimeInterval) {
        guard let evidence = hand.evidence else { return nil }
        (self.frame, self.time, id, state) = (frame, time.rounded(to: 6), hand.id, hand.state)
        (gap, reach) = (evidence.gap.rounded(to: 4), evidence.reach.rounded(to: 4))
        (opening, depth) = (evidence.opening.rounded(to: 4), evidence.depth.rounded(to: 4))
        (score, average) = (evidence.score.rounded(to: 3), evidence.average.rounded(to: 3))
        refused = evidence.refusal?.rawValue
    }
}

/// Pinches and the lines drawn with them; the JSON of `kinema gesture`.
public struct DrawResult: AnalysisResult, Hashable {
    /// A line drawn in the air.
    public struct Line: Codable, Sendable, Hashable {
        /// Left or right; null if unknown.
        @Nullable public var hand: String?
        /// The hand's number.
        public var id: Int
        /// The start and end of the line, seconds.
        public var start: Double, end: Double
        /// Its points: x and y, normalised, origin at the lower left.
        public var points: [[Double]]
    }

    /// The pinches in time order.
    public var pinches: [PinchResult]
    /// The lines in time order.
    public var strokes: [Line]

    init(pinches: [Pinch], strokes: [Stroke]) {
        self.pinches = pinches.map(PinchResult.init)
        self.strokes = strokes.map { stroke in
            Line(
                hand: stroke.hand?.rawValue, id: stroke.id, start: (stroke.times.first ?? 0).rounded(to: 4),
                end: (stroke.times.last ?? 0).rounded(to: 4), points: stroke.points.map(\.pair))
        }
    }

    /// One row per pinch.
    public static var columns: [String] { ["pinch", "id", "hand", "start", "end", "unseen"] }

    /// The pinches.
    public var rows: [[String]] {
        pinches.enumerated().map {
            ["\($0 + 1)", "\($1.id)", $1.hand ?? "", "\($1.start)", "\($1.end)", $1.unseen ?? ""]
        }
    }

    /// The number of pinches, then each of them.
    public func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(PlainText.counted(pinches.count, "pinch", "pinches")) in \(run.extent)"]
            + (run.framesWithDetections == 0 ? ["no hand found"] : [])
            + pinches.enumerated().map { index, pinch in
                "  \(index + 1).  \(pinch.start.text(2)) to \(pinch.end.text(2)) s, hand \(pinch.id)"
                    + (pinch.hand.map { ", \($0)" } ?? "") + (pinch.unseen.map { "; \($0)" } ?? "")
            }
    }
}

/// A pinch; the JSON of `kinema gesture`.
public struct PinchResult: Codable, Sendable, Hashable {
    /// The hand's number.
    public var id: Int
    /// Left or right, as the person sees it; null if unknown.
    @Nullable public var hand: String?
    /// The times at which the fingertips touched and parted, seconds.
    public var start: Double, end: Double
    /// Which of the two is only where it was first or last seen, and why; absent if both were seen.
    public var unseen: String?

    init(_ pinch: Pinch) {
        (id, hand) = (pinch.id, pinch.hand?.rawValue)
        (start, end) = (pinch.start.rounded(to: 4), pinch.end.rounded(to: 4))
        unseen = pinch.unseen
    }
}

/// The hands in one frame; a line of `kinema gesture --format jsonl`.
public struct HandFrame: Codable, Sendable, Hashable {
    /// One hand.
    public struct Hand: Codable, Sendable, Hashable {
        /// The hand's number.
        public var id: Int
        /// Left or right, as the person sees it; null if unknown.
        @Nullable public var hand: String?
        /// The state of the fingertips.
        public var state: String
        /// The midpoint between the fingertips: x and y, normalised, origin at the lower left.
        public var point: [Double]
    }

    /// The frame's number, from 0.
    public var frame: Int
    /// Seconds from the first frame.
    public var time: Double
    /// The hands in it.
    public var hands: [Hand]

    init(frame: Int, time: TimeInterval, _ states: [PinchDrawing.HandState], of hands: [HumanHandPoseObservation]) {
        self.frame = frame
        self.time = time.rounded(to: 6)
        self.hands = states.map { state in
            let side = hands.first { $0.pose.id == state.id }?.chirality
            return Hand(id: state.id, hand: side?.rawValue, state: state.state.rawValue, point: state.point.pair)
        }
    }
}
