/// The full windows of equal length along the first dimension of an array.
public struct SlidingWindows<Scalar>: BidirectionalCollection {
    private let input: ShapedArray<Scalar>
    /// Rows in a window, and between the starts of two windows.
    public let length, stride: Int
    /// The number of windows.
    public let endIndex: Int

    /// Creates windows of `length` rows every `stride` rows; throws `invalidArgument` for none.
    public init(input: ShapedArray<Scalar>, length: Int, stride: Int = 1) throws {
        guard length > 0, stride > 0 else {
            throw KinemaError.invalid("a window's length and stride must be at least 1")
        }
        guard let rows = input.shape.first else {
            throw KinemaError.invalid("an array without dimensions has no windows; give it a shape")
        }
        (self.input, self.length, self.stride) = (input, length, stride)
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
