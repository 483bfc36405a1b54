public import Foundation
public import KinemaCore

/// The output of a PoseNet model: four maps, rows x columns x channels, top row first.
///
/// Vector channels hold all y, then all x, in pixels of the model's input with the origin at the top left.
public struct PoseNetOutput: Sendable {
    let prediction: PoseNetPrediction
    /// The size of the model's input in pixels.
    let modelInputSize: CGSize
    /// The distance of two neighbouring cells in pixels of the input.
    let modelOutputStride: Int

    /// Reads a model's prediction; throws `.invalidArgument` when the shapes of the maps disagree.
    public init(prediction: PoseNetPrediction, modelInputSize: CGSize, modelOutputStride: Int) throws(KinemaError) {
        let cells = prediction.gridWidth * prediction.gridHeight
        guard prediction.gridWidth > 0, prediction.gridHeight > 0, prediction.heatmap.count == 17 * cells,
            prediction.offsets.count == 34 * cells, prediction.displacementFwd.count == 32 * cells,
            prediction.displacementBwd.count == 32 * cells
        else {
            throw KinemaError(
                .invalidArgument, "the maps do not fit the grid; pass 17, 34, 32 and 32 values for each cell")
        }
        guard modelInputSize.width > 0, modelInputSize.height > 0, modelOutputStride > 0 else {
            throw KinemaError(.invalidArgument, "the model's input size and output stride must be greater than 0")
        }
        (self.prediction, self.modelInputSize, self.modelOutputStride) = (prediction, modelInputSize, modelOutputStride)
    }

    package var gridWidth: Int { prediction.gridWidth }
    package var gridHeight: Int { prediction.gridHeight }
}

// MARK: - Values at positions in pixels of the model's input, origin at the top left

extension PoseNetOutput {
    struct Cell: Hashable {
        var x: Int
        var y: Int
    }

    func confidence(_ joint: Int, at cell: Cell) -> Float {
        prediction.heatmap[(cell.y * gridWidth + cell.x) * 17 + joint]
    }

    func position(of cell: Cell) -> SIMD2<Double> {
        SIMD2(Double(cell.x), Double(cell.y)) * Double(modelOutputStride)
    }

    /// The nearest position on the grid; nil for one that is not a number.
    func onGrid(_ position: SIMD2<Double>) -> SIMD2<Double>? {
        guard !position.x.isNaN, !position.y.isNaN else { return nil }
        let last = SIMD2(Double(gridWidth - 1), Double(gridHeight - 1)) * Double(modelOutputStride)
        return position.clamped(lowerBound: .zero, upperBound: last)
    }

    func confidence(_ joint: Int, at position: SIMD2<Double>) -> Float {
        interpolated(at: position) { prediction.heatmap[$0 * 17 + joint] }
    }

    func offset(_ joint: Int, at position: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(
            Double(interpolated(at: position) { prediction.offsets[$0 * 34 + 17 + joint] }),
            Double(interpolated(at: position) { prediction.offsets[$0 * 34 + joint] }))
    }

    /// The vector along an edge from a joint at a position to the adjacent joint.
    func displacement(_ step: PoseNetSkeleton.Step, at position: SIMD2<Double>) -> SIMD2<Double> {
        let map = step.isForward ? prediction.displacementFwd : prediction.displacementBwd
        return SIMD2(
            Double(interpolated(at: position) { map[$0 * 32 + 16 + step.edge] }),
            Double(interpolated(at: position) { map[$0 * 32 + step.edge] }))
    }

    /// A map's value at a position on the grid by bilinear interpolation, as in Google's decoder.
    private func interpolated(at position: SIMD2<Double>, _ value: (Int) -> Float) -> Float {
        let cell = position / Double(modelOutputStride)
        let (left, top) = (Int(cell.x), Int(cell.y))
        let (right, bottom) = (min(left + 1, gridWidth - 1), min(top + 1, gridHeight - 1))
        let (across, down) = (Float(cell.x - Double(left)), Float(cell.y - Double(top)))
        func row(_ y: Int) -> Float {
            let (from, to) = (value(y * gridWidth + left), value(y * gridWidth + right))
            return from + (to - from) * across
        }
        let upper = row(top)
        return upper + (row(bottom) - upper) * down
    }
}
