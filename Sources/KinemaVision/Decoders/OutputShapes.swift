/// The shapes of a model's outputs for an input of one size in pixels; a size that is not fixed is -1.
struct OutputShapes {
    let graph: ModelGraph
    let width: Int
    let height: Int

    subscript(index: Int) -> [Int] { graph.outputs[index].shape }

    func first(where test: ([Int]) -> Bool) -> Int? { graph.outputs.firstIndex { test($0.shape) } }

    /// Whether a size equals the number of cells in grids with these strides, or is not fixed.
    func isCells(_ size: Int, strides: [Int]) -> Bool {
        size == -1 || size == Self.cells(width, height, strides: strides)
    }

    static func cells(_ width: Int, _ height: Int, strides: [Int]) -> Int {
        strides.reduce(0) { $0 + ((width + $1 - 1) / $1) * ((height + $1 - 1) / $1) }
    }
}
