import KinemaCore

/// A view of an output tensor in the runtime's memory; it is valid until the request's next run.
struct TensorView {
    let shape: [Int]
    private let values: UnsafeBufferPointer<Float>

    // SAFETY: the memory belongs to the request, which outlives the closure it is passed to; views stay inside it. The
    // shape's product is the number of values.
    init(_ values: UnsafeBufferPointer<Float>, shape: [Int]) { (self.values, self.shape) = (values, shape) }

    var count: Int { values.count }

    /// A copy that outlives the request's next run.
    var array: ShapedArray<Float> { ShapedArray(scalars: values, shape: shape) }

    /// The value at an index within the tensor's shape, which is checked when the request is created or has run.
    subscript(index: Int) -> Float { values[index] }
}
