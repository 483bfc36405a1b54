public import KinemaCore
public import KinemaVision

/// A set of named values, with Core ML's name.
public protocol MLFeatureProvider {
    /// The values' names.
    var featureNames: Set<String> { get }

    /// A value by name; nil if there is none.
    func featureValue(for featureName: String) -> MLFeatureValue?
}

/// One value of a set of named ones.
public final class MLFeatureValue {
    /// The value in each kind; nil in all kinds but its own.
    public private(set) var multiArrayValue: MLMultiArray?, imageBufferValue: CVPixelBuffer?
    /// The number or the text; 0 and empty if it is of another kind.
    public private(set) var doubleValue = 0.0, int64Value: Int64 = 0, stringValue = ""

    /// Makes a value of numbers in several dimensions.
    public init(multiArray: MLMultiArray) { multiArrayValue = multiArray }

    /// Makes a value of a picture.
    public init(pixelBuffer: CVPixelBuffer) { imageBufferValue = pixelBuffer }

    /// Makes a value of a number.
    public init(double: Double) { doubleValue = double }

    /// Makes a value of an integer.
    public init(int64: Int64) { int64Value = int64 }

    /// Makes a value of a text.
    public init(string: String) { stringValue = string }
}

/// Named values in a dictionary.
public final class MLDictionaryFeatureProvider: MLFeatureProvider {
    private let values: [String: MLFeatureValue]

    /// Makes a set of numbers, texts, pictures and arrays; throws `.invalidArgument` for a value of another type.
    public init(dictionary: [String: Any]) throws {
        values = try dictionary.mapValues { value in
            switch value {
            case let value as MLFeatureValue: value
            case let value as MLMultiArray: MLFeatureValue(multiArray: value)
            case let value as CVPixelBuffer: MLFeatureValue(pixelBuffer: value)
            case let value as String: MLFeatureValue(string: value)
            case let value as Int: MLFeatureValue(int64: Int64(value))
            case let value as Double: MLFeatureValue(double: value)
            default: throw KinemaError.invalid("a feature cannot be of the type \(type(of: value))")
            }
        }
    }

    /// The values' names.
    public var featureNames: Set<String> { Set(values.keys) }

    /// A value by name; nil if there is none.
    public func featureValue(for featureName: String) -> MLFeatureValue? { values[featureName] }
}
