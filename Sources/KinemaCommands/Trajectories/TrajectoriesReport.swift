import Foundation
import Kinema

/// What flew through one input.
struct TrajectoriesReport: Sendable {
    var source: String
    var outcome: FilmRun.Outcome
    /// In order of their beginning.
    var flights: [Flight]
}
