/// A multidimensional array of numbers, the last dimension varying fastest.
///
/// It replaces Apple's `MLShapedArray` and `MLMultiArray`.
public struct ShapedArray<Scalar> {
    /// The length of each dimension.
    public let shape: [Int]
    /// All numbers, the last dimension varying fastest.
    public private(set) var scalars: [Scalar]

    /// Makes an array; the product of `shape` is the number of `scalars`.
    public init<S>(scalars: S, shape: [Int]) where S: Sequence, S.Element == Scalar {
        self.scalars = Array(scalars)
        self.shape = shape
        precondition(
            shape.allSatisfy { $0 >= 0 } && shape.reduce(1, *) == self.scalars.count,
            "the product of the shape is the number of scalars")
    }

    /// The number of elements.
    public var scalarCount: Int { scalars.count }

    /// The number at one index for each dimension.
    public subscript(scalarAt indices: Int...) -> Scalar {
        get { scalars[offset(indices)] }
        set { scalars[offset(indices)] = newValue }
    }

    /// A range of rows of the first dimension.
    public subscript(rows: Range<Int>) -> ShapedArray {
        precondition(!shape.isEmpty, "a single number has no rows")
        let width = shape.dropFirst().reduce(1, *)
        let slice = scalars[rows.lowerBound * width..<rows.upperBound * width]
        return ShapedArray(scalars: slice, shape: [rows.count] + shape.dropFirst())
    }

    private func offset(_ indices: [Int]) -> Int {
        precondition(indices.count == shape.count, "one index for each dimension")
        return zip(indices, shape).reduce(0) { offset, next in
            precondition((0..<next.1).contains(next.0), "an index lies within its dimension")
            return offset * next.1 + next.0
        }
    }
}

extension ShapedArray: Sendable where Scalar: Sendable {}
extension ShapedArray: Equatable where Scalar: Equatable {}
extension ShapedArray: Hashable where Scalar: Hashable {}

/// The full windows of equal length along the first dimension of an array.
public struct SlidingWindows<Scalar>: BidirectionalCollection {
    private let input: ShapedArray<Scalar>
    /// Rows in a window.
    public let length: Int
    /// Rows between the starts of two windows.
    public let stride: Int
    /// The number of windows.
    public let endIndex: Int

    /// Makes windows of `length` rows every `stride` rows; throws `invalidArgument` when either is less than 1 or the
    /// array has no rows.
    public init(input: ShapedArray<Scalar>, length: Int, stride: Int = 1) throws {
        guard length > 0, stride > 0 else {
            throw KinemaError(.invalidArgument, "a window's length and stride must be at least 1")
        }
        guard let rows = input.shape.first else {
            throw KinemaError(.invalidArgument, "an array without dimensions has no windows; give it a shape")
        }
        self.input = input
        self.length = length
        self.stride = stride
        endIndex = rows < length ? 0 : (rows - length) / stride + 1
    }

    /// The first window.
    public var startIndex: Int { 0 }

    /// The next window's index.
    public func index(after index: Int) -> Int { index + 1 }

    /// The previous window's index.
    public func index(before index: Int) -> Int { index - 1 }

    /// A window of shape `[length, …]`.
    public subscript(index: Int) -> ShapedArray<Scalar> {
        precondition(indices.contains(index), "the index of a window")
        return input[index * stride..<index * stride + length]
    }
}

extension SlidingWindows: Sendable where Scalar: Sendable {}
