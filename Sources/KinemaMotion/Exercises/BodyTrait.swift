/// A range in which a measure lies during an exercise.
public struct BodyTrait: Sendable, Hashable {
    /// What is taken of the values over a repetition.
    public enum Statistic: String, Sendable, Hashable, Codable {
        /// The smallest value, the largest, the middle one, and the largest less the smallest.
        ///
        /// Smallest and largest leave out the outermost twentieth, which is noise as often as not.
        case low, high, middle, range
    }

    /// What is measured.
    public var measure: BodyMeasure
    /// What is taken of it.
    public var statistic: Statistic
    /// Where it lies.
    public var range: ClosedRange<Double>
    /// How far outside the range it may lie before it speaks clearly against the exercise.
    public var tolerance: Double

    /// Makes a trait; the units are the measure's.
    public init(_ measure: BodyMeasure, _ statistic: Statistic, _ range: ClosedRange<Double>, tolerance: Double) {
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
