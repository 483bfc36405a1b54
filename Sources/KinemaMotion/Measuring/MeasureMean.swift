/// A mean and its standard deviation.
public struct MeasureMean: Codable, Sendable, Hashable {
    /// The mean, and the standard deviation of the sample, 0 for one value.
    public var mean, spread: Double
    /// The mean of values; nil without values.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
        (self.mean, spread) = (mean, values.count > 1 ? (squares / Double(values.count - 1)).squareRoot() : 0)
    }
}
