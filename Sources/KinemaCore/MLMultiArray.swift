public import Foundation

/// The name of `ShapedArray` in Core ML.
public typealias MLShapedArray = ShapedArray

/// How a multiarray rounds its numbers; the raw values are Core ML's.
public enum MLMultiArrayDataType: Int, Sendable {
    /// Double precision.
    case double = 65600
    /// Single precision.
    case float32 = 65568
    /// Integers.
    case int32 = 131104

    /// Single precision.
    public static let float = float32

    fileprivate func rounded(_ value: Double) -> Double {
        switch self {
        case .double: value
        case .float32: Double(Float(value))
        case .int32: value.rounded(.towardZero)
        }
    }
}

/// Numbers in several dimensions that all holders share, with the names of Core ML; `ShapedArray` is the value type.
///
/// The last dimension varies fastest. All types of numbers are stored as `Double`, so there is no pointer to them.
public final class MLMultiArray {
    /// How numbers are rounded.
    public let dataType: MLMultiArrayDataType
    fileprivate private(set) var content: ShapedArray<Double>

    /// Makes an array of zeros; throws `.invalidArgument` for a negative length.
    public init(shape: [NSNumber], dataType: MLMultiArrayDataType) throws {
        let lengths = shape.map(\.intValue)
        guard lengths.allSatisfy({ $0 >= 0 }) else {
            throw KinemaError(.invalidArgument, "the shape \(lengths) has a negative length")
        }
        content = ShapedArray(scalars: repeatElement(0, count: lengths.reduce(1, *)), shape: lengths)
        self.dataType = dataType
    }

    /// Makes an array with the numbers of another.
    public init(_ array: ShapedArray<Double>) { (content, dataType) = (array, .double) }

    /// Joins arrays along a dimension; their other dimensions must be the same.
    public init(concatenating arrays: [MLMultiArray], axis: Int, dataType: MLMultiArrayDataType) {
        let joined = ShapedArray(concatenating: arrays.map(\.content), alongAxis: axis)
        content = ShapedArray(scalars: joined.scalars.map(dataType.rounded), shape: joined.shape)
        self.dataType = dataType
    }

    /// The length of each dimension.
    public var shape: [NSNumber] { content.shape.map { NSNumber(value: $0) } }

    /// The distance between neighbours in each dimension, in numbers.
    public var strides: [NSNumber] {
        content.shape.indices.map { index in
            NSNumber(value: content.shape[(index + 1)...].reduce(1, *))
        }
    }

    /// The number of numbers.
    public var count: Int { content.scalarCount }

    /// The number at an index in storage order.
    public subscript(index: Int) -> NSNumber {
        get { NSNumber(value: content.scalars[index]) }
        set { content.set(dataType.rounded(newValue.doubleValue), at: index) }
    }

    /// The number at one index for each dimension.
    public subscript(indices: [NSNumber]) -> NSNumber {
        get { self[offset(indices)] }
        set { self[offset(indices)] = newValue }
    }

    private func offset(_ indices: [NSNumber]) -> Int {
        precondition(indices.count == content.shape.count, "one index for each dimension")
        return zip(indices, content.shape).reduce(0) { offset, next in
            precondition((0..<next.1).contains(next.0.intValue), "an index lies within its dimension")
            return offset * next.1 + next.0.intValue
        }
    }
}

extension ShapedArray where Scalar == Double {
    /// Makes a copy of a multiarray's numbers.
    public init(_ array: MLMultiArray) { self = array.content }
}
