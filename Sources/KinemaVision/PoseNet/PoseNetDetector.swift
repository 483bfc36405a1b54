import Foundation
import KinemaCore
import KinemaMedia

/// Finds all people in a picture with a PoseNet model: stretch, infer, dequantize the maps, build the poses.
struct PoseNetDetector: Sendable {
    let options: PoseNetOptions
    private let model: CompiledModelHandle

    /// Throws `.missingComponent` without the library, `.unreadableInput` for a bad model, `.invalidArgument`.
    init(options: PoseNetOptions, store: ModelStore) throws {
        try options.configuration.validate()
        self.options = options
        model = try store.model(options.model.description, precision: options.precision)
    }

    func people(in frame: VideoFrame) throws -> [DecodedPose] {
        try PoseBuilder(output: output(for: frame), configuration: options.configuration).decode()
    }

    func output(for frame: VideoFrame) throws -> PoseNetOutput {
        try PoseNetOutput(
            prediction: prediction(for: frame), modelInputSize: options.model.modelInputSize,
            modelOutputStride: options.model.outputStride)
    }

    func prediction(for frame: VideoFrame) throws -> PoseNetPrediction {
        let poseNet = options.model
        let maps = try model.withRequest { request in
            RegionSampler.stretch(frame, into: request.input, width: poseNet.inputWidth, height: poseNet.inputHeight)
            try request.infer()
            return zip(request.outputs, poseNet.maps).map { Self.dequantized($0, of: $1) }
        }
        let heatmap = poseNet.maps[0].isLogistic ? maps[0] : maps[0].map { 1 / (1 + exp(-$0)) }
        func map(_ scalars: [Float], _ channels: Int) -> ShapedArray<Float> {
            ShapedArray(scalars: scalars, shape: [poseNet.grid.height, poseNet.grid.width, channels])
        }
        // A map of both directions has 32 channels forward, then 32 backward.
        let forward = maps.count == 3 ? Self.channels(0..<32, of: 64, in: maps[2]) : maps[2]
        let backward = maps.count == 3 ? Self.channels(32..<64, of: 64, in: maps[2]) : maps[3]
        return PoseNetPrediction(
            heatmap: map(heatmap, 17), offsets: map(maps[1], 34), displacementFwd: map(forward, 32),
            displacementBwd: map(backward, 32))
    }

    private static func dequantized(_ view: TensorView, of tensor: TFLiteGraph.Tensor) -> [Float] {
        let (scale, zero) = (tensor.scale, tensor.zeroPoint)
        return (0..<view.count).map { (view[$0] - zero) * scale }
    }

    private static func channels(_ range: Range<Int>, of count: Int, in map: [Float]) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(map.count / count * range.count)
        for cell in stride(from: 0, to: map.count, by: count) {
            result += map[(cell + range.lowerBound)..<(cell + range.upperBound)]
        }
        return result
    }
}
