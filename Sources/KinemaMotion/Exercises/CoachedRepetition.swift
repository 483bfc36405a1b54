package import Foundation

package struct CoachedRepetition: Sendable, Hashable {
    /// The times of leaving the resting posture and of returning to it, seconds.
    package var start, end: TimeInterval
    /// The share of a full repetition's range, 1 or more for all of it; nil if too little is seen.
    package var depth: Double?
    package var tempo: Tempo
    /// The smaller side's range as a share of the larger, 0...1; nil unless both sides are seen throughout.
    package var symmetry: Double?
    /// The side that moved, if only one did.
    package var side: BodySide?
    package var faults: [Fault]
    /// How similar it is to a shown exercise, 0...100; nil for other exercises and if too little is seen.
    package var likeness: Double?

    var span: Repetition { Repetition(start: start, end: end, confidence: 1) }

    /// Seconds in each part of a repetition.
    package struct Tempo: Sendable, Hashable {
        /// The lowering phase, such as a squat's descent.
        package var eccentric: TimeInterval
        package var pause: TimeInterval
        /// The lifting phase, such as a squat's ascent.
        package var concentric: TimeInterval
    }
}

extension CoachedRepetition {
    /// A repetition of which too little is seen to judge.
    init(unseen cycle: Repetition) {
        let half = cycle.duration / 2
        self.init(
            start: cycle.start, end: cycle.end, depth: nil,
            tempo: .init(eccentric: half, pause: 0, concentric: half), symmetry: nil, side: nil, faults: [])
    }
}
