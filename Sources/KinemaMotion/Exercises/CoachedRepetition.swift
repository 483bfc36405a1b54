package import Foundation
import KinemaCore

/// One repetition as a coach sees it.
package struct CoachedRepetition: Sendable, Hashable {
    /// When the resting posture was left, seconds.
    package var start: TimeInterval
    /// When it was reached again, seconds.
    package var end: TimeInterval
    /// How far the movement went: the share of a full repetition's range, 1 and above for all of it.
    package var depth: Double
    /// How long each part took.
    package var tempo: Tempo
    /// How alike the sides moved: the smaller range as a share of the larger, 0...1; nil where a side, or a part of the movement, is not seen.
    package var symmetry: Double?
    /// The side that moved, where one side did.
    package var side: BodySide?
    /// What was wrong.
    package var faults: [Fault]

    /// Seconds in each part of a repetition.
    package struct Tempo: Sendable, Hashable {
        /// In which the muscles give way: a squat's way down.
        package var eccentric: TimeInterval
        /// At the far end.
        package var pause: TimeInterval
        /// In which the muscles lift: a squat's way up.
        package var concentric: TimeInterval
    }
}

/// One side of a body.
package enum BodySide: String, Sendable, Hashable, CaseIterable, Codable {
    /// The person's own left or right.
    case left, right
}

/// A position held without a break.
package struct HeldPosition: Sendable, Hashable {
    /// When it was taken, seconds.
    package var start: TimeInterval
    /// When it was given up, seconds.
    package var end: TimeInterval
    /// What was wrong with it.
    package var faults: [Fault]
}
