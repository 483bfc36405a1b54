import Foundation

/// A movement from rest to its far end and back, in shares of a full repetition's range (rest 0, full 1).
struct Swing: Sendable {
    var start: TimeInterval
    var far: TimeInterval
    var end: TimeInterval
    /// The resting levels before and after, and the far one.
    var before: Double
    var high: Double
    var after: Double
    /// Whether the return was seen to its end, not cut off by the end of the recording.
    var isSeenToItsEnd = true

    var range: Double { high - min(before, after) }
    var duration: TimeInterval { end - start }
}
