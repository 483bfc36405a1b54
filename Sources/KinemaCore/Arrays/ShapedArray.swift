/// Numbers in rows and columns of any number of dimensions, the last dimension running fastest.
///
/// Stands where Apple's code has `MLShapedArray` or `MLMultiArray`.
public struct ShapedArray<Scalar> {
    /// The length of each dimension.
    public let shape: [Int]
    /// All numbers, the last dimension running fastest.
    public private(set) var scalars: [Scalar]

    /// Makes an array; the product of `shape` is the number of `scalars`.
    public init<S>(scalars: S, shape: [Int]) where S: Sequence, S.Element == Scalar {
        self.scalars = Array(scalars)
        self.shape = shape
        precondition(
            shape.allSatisfy { $0 >= 0 } && shape.reduce(1, *) == self.scalars.count,
            "the product of the shape is the number of scalars")
    }

    /// How many numbers there are.
    public var scalarCount: Int { scalars.count }

    /// The number at one index for each dimension.
    public subscript(scalarAt indices: Int...) -> Scalar {
        get { scalars[offset(indices)] }
        set { scalars[offset(indices)] = newValue }
    }

    /// Some rows of the first dimension.
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
