public import Foundation
public import KinemaCore
public import KinemaMedia

/// An image stretched to the size of a PoseNet model's input.
public struct PoseNetInput: Sendable {
    let image: VideoFrame
    /// The size it is stretched to, pixels: the model's `modelInputSize`.
    let size: CGSize

    /// Takes a frame and the size of the model's input.
    public init(image: VideoFrame, size: CGSize) { (self.image, self.size) = (image, size) }

    /// Takes an image in memory and the size of the model's input.
    public init(image: Bitmap, size: CGSize) {
        let id = TemporalSegmentIdentifier(source: "memory", range: 0..<1, timescale: 1)
        self.init(image: VideoFrame(bitmap: image, id: id), size: size)
    }
}

/// A PoseNet model's maps for one image, each of shape [rows, columns, channels] with the top row first.
public struct PoseNetPrediction: Sendable {
    /// The probability of each of the 17 joints in a cell, 0...1.
    let heatmap: ShapedArray<Float>
    /// From a cell to each joint near it, pixels of the input: 17 y, 17 x.
    let offsets: ShapedArray<Float>
    /// From parent joint to child along each of the 16 edges, pixels of the input: 16 y, 16 x.
    let displacementFwd: ShapedArray<Float>
    /// From child joint to parent along each of the 16 edges, pixels of the input: 16 y, 16 x.
    let displacementBwd: ShapedArray<Float>
}

extension PoseNetModel {
    /// The size of the model's input, pixels.
    public var modelInputSize: CGSize { CGSize(width: inputWidth, height: inputHeight) }

    /// Runs the model; the first call compiles it.
    ///
    /// Throws `.invalidArgument` for an input of another size, `.missingComponent` without the inference library,
    /// `.unreadableInput` when the model cannot be compiled.
    public func prediction(from input: PoseNetInput) throws -> PoseNetPrediction {
        guard input.size == modelInputSize else {
            throw KinemaError(
                .invalidArgument, "this PoseNet takes \(inputWidth)x\(inputHeight) pixels; make the input of that size",
                file: file.path)
        }
        return try PoseNetDetector(options: PoseNetOptions(model: self), store: .shared).prediction(for: input.image)
    }
}

extension PoseNetOutput {
    /// Reads a model's prediction; throws `.invalidArgument` when the shapes of the maps disagree.
    public init(prediction: PoseNetPrediction, modelInputSize: CGSize, modelOutputStride: Int) throws(KinemaError) {
        try self.init(
            heatmap: prediction.heatmap.scalars, offsets: prediction.offsets.scalars,
            forwardDisplacementMap: prediction.displacementFwd.scalars,
            backwardDisplacementMap: prediction.displacementBwd.scalars,
            gridWidth: prediction.heatmap.shape[1], gridHeight: prediction.heatmap.shape[0],
            modelInputSize: modelInputSize, modelOutputStride: modelOutputStride)
    }
}
