import KinemaCore

package struct BodyTrait: Sendable, Hashable, Encodable {
    package enum Statistic: String, Sendable, Hashable, CaseIterable, Codable {
        /// The smallest, largest and middle value, and the range, each without the outermost twentieth at both ends.
        case low, high, middle, range
    }

    package var measure: BodyMeasure
    package var statistic: Statistic
    package var range: ClosedRange<Double>
    /// The distance from the range that clearly contradicts the exercise.
    package var tolerance: Double

    package init(_ measure: BodyMeasure, _ statistic: Statistic, _ range: ClosedRange<Double>, tolerance: Double) {
        self.measure = measure
        self.statistic = statistic
        self.range = range
        self.tolerance = tolerance
    }

    /// The distance of a value from the range, in tolerances; 0 inside.
    func misfit(_ value: Double) -> Double {
        max(range.lowerBound - value, value - range.upperBound, 0) / tolerance
    }
}
