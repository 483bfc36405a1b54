import KinemaCore

/// A range in which a measure lies during an exercise.
package struct BodyTrait: Sendable, Hashable, Encodable {
    /// The statistic of the values over a repetition.
    package enum Statistic: String, Sendable, Hashable, CaseIterable, Codable {
        /// The smallest value, the largest, the middle one, and the largest less the smallest.
        ///
        /// Smallest and largest leave out the outermost twentieth, which is noise as often as not.
        case low, high, middle, range
    }

    /// The measure.
    package var measure: BodyMeasure
    /// Its statistic.
    package var statistic: Statistic
    /// The range of the statistic.
    package var range: ClosedRange<Double>
    /// How far outside the range it may lie before it speaks clearly against the exercise.
    package var tolerance: Double

    /// Makes a trait; the units are the measure's.
    package init(_ measure: BodyMeasure, _ statistic: Statistic, _ range: ClosedRange<Double>, tolerance: Double) {
        self.measure = measure
        self.statistic = statistic
        self.range = range
        self.tolerance = tolerance
    }

    /// How far a value lies outside the range, in tolerances; 0 inside.
    func misfit(_ value: Double) -> Double {
        max(range.lowerBound - value, value - range.upperBound, 0) / tolerance
    }
}
