/// An output's numbers where the runtime left them, until the request's next run.
struct TensorView {
    private let numbers: UnsafeBufferPointer<Float>

    // SAFETY: the memory belongs to the request, which outlives the closure it is lent to; views stay inside that closure.
    init(_ numbers: UnsafeBufferPointer<Float>) {
        self.numbers = numbers
    }

    /// How many numbers there are.
    var count: Int { numbers.count }

    /// The number at a place; in bounds as long as the catalogue's shape is, which is checked when the request is made.
    subscript(index: Int) -> Float { numbers[index] }
}
