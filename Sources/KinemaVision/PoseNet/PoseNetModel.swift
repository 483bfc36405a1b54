public import Foundation
public import KinemaCore
import KinemaMedia

/// A MobileNetV1 PoseNet in a TensorFlow Lite file, with any input size, output stride and number format.
public struct PoseNetModel: Sendable, Hashable {
    /// The model file.
    public let file: URL
    /// The width of the model's input in pixels.
    public let inputWidth: Int
    /// The height of the model's input in pixels.
    public let inputHeight: Int
    /// The distance of two neighbouring map cells in pixels of the input.
    public let outputStride: Int
    /// The columns and rows of the maps.
    let grid: (width: Int, height: Int)
    /// The runtime's description, with outputs in the order of `maps`.
    let description: ModelDescription
    /// The maps: heatmap, offsets, then displacements in one map or as forward and backward.
    let maps: [TFLiteGraph.Tensor]

    /// The output strides of MobileNetV1.
    private static let strides = [2, 4, 8, 16, 32]
    /// The maximum file size; the largest of these models has about 15 MB.
    private static let maximumSize = 256 << 20

    /// Reads the model's description from a file; the model is compiled when the first picture is processed.
    ///
    /// Throws `.unreadableInput` when the file does not exist or is not a PoseNet model.
    public init(contentsOf url: URL) throws(KinemaError) {
        func refuse(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: url.path) }
        let bytes = try Self.bytes(of: url)
        let graph = TFLiteGraph(
            bytes, damaged: refuse("is damaged or not a PoseNet model; copy it again or choose another model"))
        let inputs: [TFLiteGraph.Tensor]
        let outputs: [TFLiteGraph.Tensor]
        do {
            (inputs, outputs) = (try graph.inputs(), try graph.outputs())
        } catch {
            throw graph.damaged
        }
        guard let input = inputs.first, inputs.count == 1, input.shape.count == 4, input.shape[0] == 1,
            input.shape[3] == 3, (16...8192).contains(input.shape[1]), (16...8192).contains(input.shape[2])
        else {
            throw refuse(
                "is not a PoseNet model: its input is not one RGB picture of fixed size; choose another model")
        }
        guard let maps = Self.maps(among: outputs) else {
            throw refuse(
                "is not a PoseNet model without decoder: it does not output heatmaps, offsets and displacements; "
                    + "choose another model")
        }
        let (height, width) = (maps[0].shape[1], maps[0].shape[2])
        // Each layer of stride 2 halves the size and rounds up.
        let stride = Self.strides.first { stride in
            (input.shape[1] + stride - 1) / stride == height && (input.shape[2] + stride - 1) / stride == width
        }
        guard let stride else {
            throw refuse("is not a PoseNet model: its maps do not fit its input; choose another model")
        }
        file = url
        (inputHeight, inputWidth) = (input.shape[1], input.shape[2])
        outputStride = stride
        grid = (width, height)
        self.maps = maps
        description = Self.description(of: url, sha256: ContentDigest.sha256(of: bytes), input, maps)
    }

    private static func bytes(of url: URL) throws(KinemaError) -> [UInt8] {
        let remedy = "choose a PoseNet model (.tflite)"
        let bytes = try BoundedFile.read(url, limit: maximumSize, remedy: remedy)
        // Bytes 4 to 7 identify the format.
        guard bytes.dropFirst(4).prefix(4).elementsEqual("TFL3".utf8) else {
            throw KinemaError(.unreadableInput, "is not a TensorFlow Lite model; " + remedy, file: url.path)
        }
        return bytes
    }

    /// The maps among a model's outputs, identified by their channel counts and, if ambiguous, by their names.
    private static func maps(among outputs: [TFLiteGraph.Tensor]) -> [TFLiteGraph.Tensor]? {
        func maps(_ channels: Int) -> [TFLiteGraph.Tensor] {
            outputs.filter { $0.shape.count == 4 && $0.shape[0] == 1 && $0.shape[3] == channels }
        }
        // BodyPix, which extends PoseNet, also outputs long offsets.
        let offsets = maps(34).filter { !$0.name.contains("long") }
        var found = Array(maps(17).prefix(1) + offsets.prefix(1))
        let single = maps(32)
        if let both = maps(64).first {
            found.append(both)
        } else if single.count == 2 {
            // The forward map is first unless the names show otherwise.
            let isBackwardFirst = single[0].name.contains("bwd") || single[1].name.contains("fwd")
            found += isBackwardFirst ? [single[1], single[0]] : single
        } else {
            return nil
        }
        guard found.count == (single.count == 2 && maps(64).isEmpty ? 4 : 3) else { return nil }
        let grid = found[0].shape
        let isOneGrid = found.allSatisfy { $0.shape[1] == grid[1] && $0.shape[2] == grid[2] }
        return isOneGrid && Set(found.map(\.name)).count == found.count ? found : nil
    }

    private static func description(
        of url: URL, sha256: String, _ input: TFLiteGraph.Tensor, _ maps: [TFLiteGraph.Tensor]
    ) -> ModelDescription {
        // Floating-point inputs are -1...1, as for every MobileNetV1. 8-bit inputs are the picture's bytes, minus 128
        // if they are signed.
        let (mean, scale): (Float, Float) =
            switch input.type {
            case .float32, .float16: (127.5, 127.5)
            case .uint8: (0, 1)
            case .int8: (128, 1)
            }
        let meanings = ["heatmap", "offsets"] + (maps.count == 3 ? ["displacements"] : ["forward", "backward"])
        return ModelDescription(
            name: "posenet", purpose: "finds 17 joints of all people in a picture", file: url.lastPathComponent,
            licence: "unknown", origin: "chosen by the user", sha256: sha256,
            input: .init(name: input.name, shape: input.shape, meaning: "RGB, the whole picture stretched"),
            outputs: zip(maps, meanings).map { .init(name: $0.name, shape: $0.shape, meaning: $1) },
            mean: [mean], scale: [scale], location: url, hasFloatOutputs: maps.contains { $0.type != .float32 })
    }

    /// Whether both have the same content.
    public static func == (a: PoseNetModel, b: PoseNetModel) -> Bool {
        a.description == b.description
    }

    /// Hashes the model's content.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(description)
    }
}

/// The options for finding bodies with a PoseNet model.
public struct PoseNetOptions: Sendable, Hashable {
    /// The model.
    public var model: PoseNetModel
    /// The parameters for building poses from the model's maps.
    public var configuration: PoseBuilderConfiguration
    /// The numeric precision of inference; it does not affect 8-bit models.
    public var precision: ModelStore.Precision

    /// Creates options; the defaults find all people.
    public init(
        model: PoseNetModel, configuration: PoseBuilderConfiguration = .init(), precision: ModelStore.Precision = .f32
    ) {
        self.model = model
        self.configuration = configuration
        self.precision = precision
    }
}

/// Finds all people in a picture with a PoseNet model: stretch, infer, dequantize the maps, build the poses.
struct PoseNetDetector: Sendable {
    let options: PoseNetOptions
    private let model: CompiledModelHandle

    /// Throws `.missingComponent` when the inference library is not installed, `.unreadableInput` when the model cannot
    /// be compiled, `.invalidArgument` when the configuration is invalid.
    init(options: PoseNetOptions, store: ModelStore) throws {
        try options.configuration.validate()
        self.options = options
        model = try store.model(options.model.description, precision: options.precision)
    }

    /// All people in the frame, highest confidence first.
    func people(in frame: VideoFrame) throws -> [DecodedPose] {
        try PoseBuilder(output: output(for: frame), configuration: options.configuration).decode()
    }

    /// The model's maps for a frame.
    func output(for frame: VideoFrame) throws -> PoseNetOutput {
        try PoseNetOutput(
            prediction: prediction(for: frame), modelInputSize: options.model.modelInputSize,
            modelOutputStride: options.model.outputStride)
    }

    /// The model's maps for a frame.
    func prediction(for frame: VideoFrame) throws -> PoseNetPrediction {
        let poseNet = options.model
        let maps = try model.withRequest { request in
            RegionSampler.stretch(
                frame, into: request.input, width: poseNet.inputWidth, height: poseNet.inputHeight)
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
