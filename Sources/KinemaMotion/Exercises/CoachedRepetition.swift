public import Foundation
import KinemaCore

/// One repetition as a coach sees it.
public struct CoachedRepetition: Sendable, Hashable {
    /// When the resting posture was left, seconds.
    public var start: TimeInterval
    /// When it was reached again, seconds.
    public var end: TimeInterval
    /// How far the movement went: the share of a full repetition's range, 1 and above for all of it.
    public var depth: Double
    /// How long each part took.
    public var tempo: Tempo
    /// How alike the sides moved: the smaller range as a share of the larger, 0...1; nil where a side is not seen.
    public var symmetry: Double?
    /// The side that moved, where one side did.
    public var side: BodySide?
    /// What was wrong.
    public var faults: [Fault]

    /// Seconds in each part of a repetition.
    public struct Tempo: Sendable, Hashable {
        /// In which the muscles give way: a squat's way down.
        public var eccentric: TimeInterval
        /// At the far end.
        public var pause: TimeInterval
        /// In which the muscles lift: a squat's way up.
        public var concentric: TimeInterval
    }
}

/// One side of a body.
public enum BodySide: String, Sendable, Hashable, CaseIterable, Codable {
    /// The person's own left or right.
    case left, right
}

/// A position held without a break.
public struct HeldPosition: Sendable, Hashable {
    /// When it was taken, seconds.
    public var start: TimeInterval
    /// When it was given up, seconds.
    public var end: TimeInterval
    /// What was wrong with it.
    public var faults: [Fault]
}
