import Foundation
import Kinema

/// What a run found: the contract of `kinema gesture`.
struct GestureReport: Sendable {
    var source: String
    var outcome: FilmRun.Outcome
    var pinches: [Pinch]
    var strokes: [Stroke]
}
