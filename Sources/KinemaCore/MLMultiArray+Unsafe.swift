public import Foundation

/// The name of `ShapedArray` in Core ML.
public typealias MLShapedArray = ShapedArray

/// The type of a multiarray's numbers; the raw values are Core ML's.
public enum MLMultiArrayDataType: Int, Sendable {
    /// Double precision.
    case double = 65600
    /// Single precision.
    case float32 = 65568
    /// Integers.
    case int32 = 131104

    /// The same under Core ML's other names.
    public static let float = float32, float64 = double

    fileprivate var scalar: Any.Type {
        switch self {
        case .double: Double.self
        case .float32: Float.self
        case .int32: Int32.self
        }
    }

    fileprivate var size: Int { self == .double ? 8 : 4 }
}

/// Numbers in several dimensions that all holders share, with the names of Core ML; `ShapedArray` is the value type.
///
/// The last dimension varies fastest, without gaps. Pointers are valid as long as the array exists.
public final class MLMultiArray {
    /// The type of the numbers.
    public let dataType: MLMultiArrayDataType
    private let lengths: [Int]
    // SAFETY: allocated by `init` for `count` numbers of the type and freed by `deinit`; every index is checked.
    /// The first number.
    public let dataPointer: UnsafeMutableRawPointer

    private init(lengths: [Int], dataType: MLMultiArrayDataType) {
        (self.lengths, self.dataType) = (lengths, dataType)
        let size = lengths.reduce(dataType.size, *)
        dataPointer = .allocate(byteCount: size, alignment: 8)
        dataPointer.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    deinit { dataPointer.deallocate() }

    /// Makes an array of zeros; throws `.invalidArgument` for a negative length.
    public convenience init(shape: [NSNumber], dataType: MLMultiArrayDataType) throws {
        let lengths = shape.map(\.intValue)
        guard lengths.allSatisfy({ $0 >= 0 }) else {
            throw KinemaError.invalid("the shape \(lengths) has a negative length")
        }
        self.init(lengths: lengths, dataType: dataType)
    }

    /// Makes an array with the numbers of another.
    public convenience init<Scalar: BinaryFloatingPoint>(_ array: ShapedArray<Scalar>) {
        self.init(array, dataType: Scalar.self == Float.self ? .float32 : .double)
    }

    /// Makes an array of one dimension.
    public convenience init<C: Collection>(_ data: C) throws where C.Element: BinaryFloatingPoint {
        self.init(ShapedArray(scalars: data, shape: [data.count]))
    }

    /// Joins arrays along a dimension; their other dimensions must be the same.
    public convenience init(concatenating arrays: [MLMultiArray], axis: Int, dataType: MLMultiArrayDataType) {
        self.init(ShapedArray(concatenating: arrays.map(ShapedArray<Double>.init), alongAxis: axis), dataType: dataType)
    }

    private convenience init<Scalar: BinaryFloatingPoint>(
        _ array: ShapedArray<Scalar>, dataType: MLMultiArrayDataType
    ) {
        self.init(lengths: array.shape, dataType: dataType)
        for (index, scalar) in array.scalars.enumerated() { self[number: index] = Double(scalar) }
    }

    /// The length of each dimension.
    public var shape: [NSNumber] { lengths.map { NSNumber(value: $0) } }

    /// The distance between neighbours in each dimension, in numbers.
    public var strides: [NSNumber] { steps.map { NSNumber(value: $0) } }

    /// The number of numbers.
    public var count: Int { lengths.reduce(1, *) }

    /// The number at an index in storage order.
    public subscript(index: Int) -> NSNumber {
        get { NSNumber(value: self[number: index]) }
        set { self[number: index] = newValue.doubleValue }
    }

    /// The number at one index for each dimension.
    public subscript(indices: [NSNumber]) -> NSNumber {
        get { self[lengths.offset(of: indices.map(\.intValue))] }
        set { self[lengths.offset(of: indices.map(\.intValue))] = newValue }
    }

    /// Passes the bytes of all numbers.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(start: dataPointer, count: count * dataType.size))
    }

    /// Passes the bytes of all numbers, to change, and the strides.
    public func withUnsafeMutableBytes<R>(
        _ body: (UnsafeMutableRawBufferPointer, [Int]) throws -> R
    ) rethrows -> R {
        try body(UnsafeMutableRawBufferPointer(start: dataPointer, count: count * dataType.size), steps)
    }

    /// Passes all numbers; `type` must be that of `dataType`.
    public func withUnsafeBufferPointer<S, R>(
        ofType type: S.Type, _ body: (UnsafeBufferPointer<S>) throws -> R
    ) rethrows -> R {
        try body(UnsafeBufferPointer(numbers(type)))
    }

    /// Passes all numbers, to change, and the strides; `type` must be that of `dataType`.
    public func withUnsafeMutableBufferPointer<S, R>(
        ofType type: S.Type, _ body: (UnsafeMutableBufferPointer<S>, [Int]) throws -> R
    ) rethrows -> R {
        try body(numbers(type), steps)
    }

    private var steps: [Int] { lengths.indices.map { lengths[($0 + 1)...].reduce(1, *) } }

    fileprivate func numbers<S>(_ type: S.Type) -> UnsafeMutableBufferPointer<S> {
        precondition(type == dataType.scalar, "the array has numbers of another type")
        return UnsafeMutableBufferPointer(start: dataPointer.bindMemory(to: type, capacity: count), count: count)
    }

    private subscript(number index: Int) -> Double {
        get {
            switch dataType {
            case .double: numbers(Double.self)[checked(index)]
            case .float32: Double(numbers(Float.self)[checked(index)])
            case .int32: Double(numbers(Int32.self)[checked(index)])
            }
        }
        set {
            switch dataType {
            case .double: numbers(Double.self)[checked(index)] = newValue
            case .float32: numbers(Float.self)[checked(index)] = Float(newValue)
            case .int32:
                let whole = Int(clamping: newValue.rounded(.towardZero))
                numbers(Int32.self)[checked(index)] = Int32(clamping: whole)
            }
        }
    }

    private func checked(_ index: Int) -> Int {
        precondition((0..<count).contains(index), "an index lies within the array")
        return index
    }

}

extension UnsafeMutableBufferPointer {
    /// All numbers of a multiarray; throws `.invalidArgument` if they have another type.
    public init(_ multiArray: MLMultiArray) throws {
        guard Element.self == multiArray.dataType.scalar else {
            throw KinemaError.invalid("the array has numbers of the type \(multiArray.dataType)")
        }
        self = multiArray.numbers(Element.self)
    }
}

extension UnsafeBufferPointer {
    /// All numbers of a multiarray; throws `.invalidArgument` if they have another type.
    public init(_ multiArray: MLMultiArray) throws { self.init(try UnsafeMutableBufferPointer(multiArray)) }
}

extension ShapedArray where Scalar: BinaryFloatingPoint {
    /// Makes a copy of a multiarray's numbers.
    public init(_ array: MLMultiArray) {
        let scalars = (0..<array.count).lazy.map { Scalar(array[$0].doubleValue) }
        self.init(scalars: scalars, shape: array.shape.map(\.intValue))
    }
}
