/// One quantity over time.
public struct MeasuredQuantity: Codable, Sendable, Hashable {
    /// The unit: "deg", "deg/s", "m", "m/s".
    public var unit: String
    /// One value for each time; nil where unknown.
    public var values: [Double?]
    /// The lowest confidence of the joints used, 0...1; 0 where the value is filled, replaced or missing.
    public var confidence: [Double]
}
