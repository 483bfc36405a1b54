/// A multidimensional array of numbers, last dimension fastest, like Apple's `MLShapedArray` and `MLMultiArray`.
public struct ShapedArray<Scalar> {
    /// The length of each dimension.
    public let shape: [Int]
    /// All numbers, the last dimension varying fastest.
    public private(set) var scalars: [Scalar]

    /// Creates an array; the product of `shape` is the number of `scalars`.
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
        get { scalars[shape.offset(of: indices)] }
        set { scalars[shape.offset(of: indices)] = newValue }
    }

    /// Joins arrays along a dimension; their other dimensions must be the same.
    public init(concatenating arrays: [ShapedArray<Scalar>], alongAxis axis: Int) {
        let first = arrays.first?.shape ?? [0]
        precondition(
            first.indices.contains(axis)
                && arrays.allSatisfy { array in
                    array.shape.count == first.count
                        && first.indices.allSatisfy { $0 == axis || array.shape[$0] == first[$0] }
                }, "arrays to concatenate differ only along the axis")
        var shape = first
        shape[axis] = arrays.reduce(0) { $0 + $1.shape[axis] }
        // One block for each index of the dimensions before the axis.
        let blocks = first[..<axis].reduce(1, *)
        var scalars: [Scalar] = []
        for block in 0..<blocks {
            for array in arrays {
                let length = array.scalarCount / max(1, blocks)
                scalars += array.scalars[block * length..<(block + 1) * length]
            }
        }
        self.init(scalars: scalars, shape: shape)
    }

    /// A range of rows of the first dimension.
    package subscript(rows: Range<Int>) -> ShapedArray {
        precondition(!shape.isEmpty, "a single number has no rows")
        let width = shape.dropFirst().reduce(1, *)
        let slice = scalars[rows.lowerBound * width..<rows.upperBound * width]
        return ShapedArray(scalars: slice, shape: [rows.count] + shape.dropFirst())
    }

}

extension [Int] {
    /// The place of an element in an array of this shape, the last dimension varying fastest.
    func offset(of indices: [Int]) -> Int {
        precondition(indices.count == count, "one index for each dimension")
        return zip(indices, self).reduce(0) { offset, next in
            precondition((0..<next.1).contains(next.0), "an index lies within its dimension")
            return offset * next.1 + next.0
        }
    }
}

extension ShapedArray: Sendable where Scalar: Sendable {}
extension ShapedArray: Equatable where Scalar: Equatable {}
extension ShapedArray: Hashable where Scalar: Hashable {}
