public import Foundation
public import KinemaCore

/// What a PoseNet model says about a picture: four maps over a grid of cells, whose rows run from the top down.
///
/// A map holds row after row of cells, each with its channels side by side. Vectors have all their y first, then all
/// their x, in pixels of the model's input, origin at the top left.
public struct PoseNetOutput: Sendable {
    /// The size of the model's input in pixels.
    public let modelInputSize: CGSize
    /// How many pixels of the input lie between two cells.
    public let modelOutputStride: Int
    /// Cells in a row.
    public let gridWidth: Int
    /// Rows of cells.
    public let gridHeight: Int

    /// How likely each of the 17 joints is in a cell, 0...1.
    let heatmap: [Float]
    /// From a cell to each joint near it: 17 y, 17 x.
    let offsets: [Float]
    /// From a parent joint to its child along each of the 16 edges: 16 y, 16 x.
    let forwardDisplacementMap: [Float]
    /// From a child joint to its parent along each of the 16 edges: 16 y, 16 x.
    let backwardDisplacementMap: [Float]

    /// Takes the maps: 17, 34, 32 and 32 numbers a cell; heatmap values are probabilities.
    ///
    /// Throws `.invalidArgument` when their lengths do not fit the grid.
    public init(
        heatmap: [Float], offsets: [Float], forwardDisplacementMap: [Float], backwardDisplacementMap: [Float],
        gridWidth: Int, gridHeight: Int, modelInputSize: CGSize, modelOutputStride: Int
    ) throws(KinemaError) {
        let cells = gridWidth * gridHeight
        guard gridWidth > 0, gridHeight > 0, heatmap.count == 17 * cells, offsets.count == 34 * cells,
            forwardDisplacementMap.count == 32 * cells, backwardDisplacementMap.count == 32 * cells
        else {
            throw KinemaError(.invalidArgument, "PoseNet's maps have 17, 34, 32 and 32 numbers for each cell")
        }
        guard modelInputSize.width > 0, modelInputSize.height > 0, modelOutputStride > 0 else {
            throw KinemaError(.invalidArgument, "PoseNet's input has a size, and its cells lie some pixels apart")
        }
        self.heatmap = heatmap
        self.offsets = offsets
        self.forwardDisplacementMap = forwardDisplacementMap
        self.backwardDisplacementMap = backwardDisplacementMap
        self.gridWidth = gridWidth
        self.gridHeight = gridHeight
        self.modelInputSize = modelInputSize
        self.modelOutputStride = modelOutputStride
    }
}

/// Looking up joints; positions are pixels of the model's input, origin at the top left.
extension PoseNetOutput {
    /// A cell of the grid.
    struct Cell: Hashable {
        var x: Int
        var y: Int
    }

    /// How likely a joint is in a cell.
    func confidence(_ joint: Int, at cell: Cell) -> Float {
        heatmap[(cell.y * gridWidth + cell.x) * 17 + joint]
    }

    /// Where a cell's own pixel lies.
    func position(of cell: Cell) -> SIMD2<Double> {
        SIMD2(Double(cell.x), Double(cell.y)) * Double(modelOutputStride)
    }

    /// The nearest cell; nil beyond the grid.
    func cell(at position: SIMD2<Double>) -> Cell? {
        let place = (position / Double(modelOutputStride)).rounded(.toNearestOrAwayFromZero)
        // Comparing before converting also refuses what is no number.
        guard place.x >= 0, place.y >= 0, place.x < Double(gridWidth), place.y < Double(gridHeight) else { return nil }
        return Cell(x: Int(place.x), y: Int(place.y))
    }

    /// How likely a joint is at a position inside the grid, between the cells around it.
    func confidence(_ joint: Int, at position: SIMD2<Double>) -> Float {
        mix(position) { heatmap[$0 * 17 + joint] }
    }

    /// The way from a position inside the grid to a joint near it.
    func offset(_ joint: Int, at position: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(
            Double(mix(position) { offsets[$0 * 34 + 17 + joint] }), Double(mix(position) { offsets[$0 * 34 + joint] }))
    }

    /// The way along an edge from a joint at a position inside the grid to the joint beside it.
    func displacement(_ step: PoseNetSkeleton.Step, at position: SIMD2<Double>) -> SIMD2<Double> {
        let map = step.isForward ? forwardDisplacementMap : backwardDisplacementMap
        return SIMD2(
            Double(mix(position) { map[$0 * 32 + 16 + step.edge] }), Double(mix(position) { map[$0 * 32 + step.edge] }))
    }

    /// A map's value between the four cells around a position; beyond the outermost cells, theirs.
    ///
    /// The sample reads the nearest cell instead, Google's own decoder mixes: joints come out half as far from its.
    private func mix(_ position: SIMD2<Double>, _ value: (Int) -> Float) -> Float {
        let last = SIMD2(Double(gridWidth - 1), Double(gridHeight - 1))
        let place = (position / Double(modelOutputStride)).clamped(lowerBound: .zero, upperBound: last)
        let (left, top) = (Int(place.x), Int(place.y))
        let (right, bottom) = (min(left + 1, gridWidth - 1), min(top + 1, gridHeight - 1))
        let (across, down) = (Float(place.x - Double(left)), Float(place.y - Double(top)))
        func row(_ y: Int) -> Float {
            let (from, to) = (value(y * gridWidth + left), value(y * gridWidth + right))
            return from + (to - from) * across
        }
        let upper = row(top)
        return upper + (row(bottom) - upper) * down
    }
}
