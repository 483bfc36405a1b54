public import Foundation

/// Recognises the pinch of one hand by any rule.
struct PinchRecognizer: Sendable {
    private let rule: PinchRule
    // The rule's own processor; the others are nil.
    private var scored: ScoredPinchProcessor?
    private var strict: StrictPinchProcessor?
    private var sample: HandGestureProcessor?
    private var lastTime: TimeInterval?

    init(_ rule: PinchRule, scored configuration: ScoredPinchProcessor.Configuration) {
        self.rule = rule
        switch rule {
        case .scored: scored = ScoredPinchProcessor(configuration: configuration)
        case .strict: strict = StrictPinchProcessor()
        case .sample(let distance), .viewPoints(let distance, _):
            sample = HandGestureProcessor(pinchMaxDistance: distance)
        }
    }

    /// The time after closing within which a pinch's start may move, seconds, and the approach of the tips for that.
    var settling: (time: TimeInterval, step: Double) {
        scored.map { ($0.configuration.settling, $0.configuration.settlingStep) } ?? (0, 0)
    }

    var evidence: PinchEvidence? { scored?.evidence }

    mutating func process(_ shape: HandShape, at time: TimeInterval) -> HandGestureProcessor.State {
        // Measure from the last observation; the sample measures from the first, which is a bug.
        let isForgotten = lastTime.map { time - $0 > PinchRule.memory } ?? false
        lastTime = time
        if let state = scored?.process(shape, at: time) { return state }
        if let state = strict?.process(shape, at: time) { return state }
        if isForgotten { sample?.reset() }
        let points = points(of: shape)
        return sample?.processPointsPair(points) ?? .unknown
    }

    private func points(of shape: HandShape) -> HandGestureProcessor.PointsPair {
        guard case .viewPoints(_, let view) = rule else { return (.zero, CGPoint(x: shape.gap, y: 0)) }
        func inView(_ point: CGPoint) -> CGPoint {
            CGPoint(x: point.x * view.width, y: (1 - point.y) * view.height)
        }
        return (inView(shape.thumbTip), inView(shape.indexTip))
    }
}

/// The evidence that a hand's tips touch in one frame, in hand lengths (wrist to middle knuckle), with its score.
package struct PinchEvidence: Sendable, Hashable {
    /// The reasons why close tips are not a pinch.
    package enum Refusal: String, Sendable, Hashable {
        /// The tips are near each other in the picture, but do not touch.
        case gap = "tips apart"
        /// They meet near the knuckles, as in a fist or a flat hand.
        case reach = "tips at the palm"
        /// They were hardly farther apart before, as with a hand at rest.
        case dip = "not closed from open"
        /// One is behind the other, as in an open hand seen from the side.
        case depth = "tips apart in depth"
        /// They touch, but not for long enough to be sure.
        case brief = "too brief"
    }

    /// The distance between the tips in the picture.
    package var gap: Double
    /// The distance from the index finger's knuckle to the middle of the tips, in space.
    package var reach: Double
    /// The recent distance between the tips, the hand's own measure of open.
    package var opening: Double
    /// The excess of the tips' distance in space over that in the picture, times how far the other fingers are
    /// stretched: the model misjudges the depth of touching tips mainly over a closed hand.
    package var depth: Double
    /// The log-odds that the tips touch, from this frame alone, within ±3 so that no frame dominates.
    package var score: Double
    /// The score averaged over the last moments, which decides.
    package var average: Double
    /// The reason why close tips are not a pinch; nil if they are apart or pinch.
    package var refusal: Refusal?

    static let maximumScore = 3.0

    /// Judges a hand whose tips recently were `opening` apart; the average is the frame's own score.
    init(_ shape: HandShape, opening: Double) {
        gap = shape.pictureGap
        reach = shape.reach
        self.opening = opening
        depth = min(max(shape.spatialGap - shape.pictureGap, 0), 1) * min(shape.stretch, 1.6)
        (score, average) = (0, 0)
        let sum = zip(terms, PinchWeights.terms).reduce(PinchWeights.constant) {
            $0 + $1.1.weight * ($1.0 - $1.1.mean) / $1.1.scale
        }
        score = min(max(sum, -Self.maximumScore), Self.maximumScore)
        average = score
    }

    /// The quantities, limited, in the order of `PinchWeights.terms`. The model puts touching tips 0.1 to 0.25 hand
    /// lengths apart, since its tips lie inside the fingers.
    private var terms: [Double] {
        let distance = max(gap, 0.23)
        return [min(distance, 0.45), min(reach, 0.65), min(distance / max(opening, 0.45), 1), depth]
    }

    /// The quantity that contradicts a pinch most.
    var objection: Refusal {
        let reasons = [Refusal.gap, .reach, .dip, .depth]
        let losses = zip(terms, PinchWeights.terms).map { $1.weight * ($1.touching - $0) / $1.scale }
        let worst = losses.indices.max { losses[$0] < losses[$1] }
        return worst.map { reasons[$0] } ?? .gap
    }
}

/// A rule that defines a pinch.
public enum PinchRule: Sendable, Hashable {
    /// One score of named quantities decides, with weights fitted to recordings; the default.
    case scored
    /// The tips touch while the hand is neither a fist nor flat, measured in hand lengths and seconds.
    case strict
    /// The HandPose sample's rule: the tips are closer than the given number of hand lengths for three frames.
    case sample(handLengths: Double = 0.3)
    /// The sample's rule in its own unit: tips within 40 points in a view of the given size in three frames.
    case viewPoints(_ distance: Double = 40, view: CGSize)

    /// The time out of view after which a hand's state is reset, in seconds; the HandPose sample's.
    static let memory: TimeInterval = 2
}
