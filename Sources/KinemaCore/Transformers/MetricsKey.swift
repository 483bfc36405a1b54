/// The name of a metric.
public struct MetricsKey: RawRepresentable, Hashable, Sendable, Codable {
    /// The metric's name, equal to the name of the static property.
    public let rawValue: String

    /// Creates a key from a metric's name; any name is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source of the item.
    public static let source = MetricsKey(rawValue: "source")
    /// The share of training and of validation examples predicted correctly.
    public static let trainingAccuracy = MetricsKey(rawValue: "trainingAccuracy"),
        validationAccuracy = MetricsKey(rawValue: "validationAccuracy")
    /// The error, the loss and the largest error over the training examples.
    public static let trainingError = MetricsKey(rawValue: "trainingError"),
        trainingLoss = MetricsKey(rawValue: "trainingLoss"),
        trainingMaximumError = MetricsKey(rawValue: "trainingMaximumError")
    /// The same over the validation examples.
    public static let validationError = MetricsKey(rawValue: "validationError"),
        validationLoss = MetricsKey(rawValue: "validationLoss"),
        validationMaximumError = MetricsKey(rawValue: "validationMaximumError")
}
