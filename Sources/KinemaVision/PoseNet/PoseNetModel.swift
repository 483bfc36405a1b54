public import Foundation
public import KinemaCore
import KinemaMedia

/// A MobileNetV1 PoseNet in a TensorFlow Lite file: any input size, output stride and number format.
public struct PoseNetModel: Sendable, Hashable {
    /// The file.
    public let file: URL
    /// Columns of the model's input.
    public let inputWidth: Int
    /// Rows of the model's input.
    public let inputHeight: Int
    /// How many pixels of the input lie between two cells of the maps.
    public let outputStride: Int
    /// Columns and rows of the maps.
    let grid: (width: Int, height: Int)
    /// What the runtime needs to know, with the maps in the order of `maps`.
    let description: ModelDescription
    /// Heatmap, offsets, then displacements: one map of both directions, or forward and backward.
    let maps: [TFLiteGraph.Tensor]

    /// The strides that a MobileNetV1 can have.
    private static let strides = [2, 4, 8, 16, 32]
    /// The largest of these models has some fifteen megabytes.
    private static let largest = 256 << 20

    /// Reads what a model's file says about itself; it is compiled when the first picture is looked at.
    ///
    /// Throws `.unreadableInput` when there is no such file, or it is no PoseNet.
    public init(contentsOf url: URL) throws(KinemaError) {
        func refuse(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: url.path) }
        let bytes = try Self.bytes(of: url)
        let graph = TFLiteGraph(bytes, damaged: refuse("is damaged, or no PoseNet; copy it again or name another"))
        let inputs: [TFLiteGraph.Tensor]
        let outputs: [TFLiteGraph.Tensor]
        do {
            (inputs, outputs) = (try graph.inputs(), try graph.outputs())
        } catch {
            throw graph.damaged
        }
        guard let input = inputs.first, inputs.count == 1, input.shape.count == 4, input.shape[0] == 1,
            input.shape[3] == 3, (16...8192).contains(input.shape[1]), (16...8192).contains(input.shape[2])
        else { throw refuse("is no PoseNet: it does not take one RGB picture of fixed size; name another model") }
        guard let maps = Self.maps(among: outputs) else {
            throw refuse(
                "is no PoseNet without a decoder: it does not give heatmaps, offsets and displacements; "
                    + "name another model")
        }
        let (height, width) = (maps[0].shape[1], maps[0].shape[2])
        // Every layer of stride 2 halves the picture and rounds up.
        let stride = Self.strides.first { stride in
            (input.shape[1] + stride - 1) / stride == height && (input.shape[2] + stride - 1) / stride == width
        }
        guard let stride else { throw refuse("is no PoseNet: its maps do not fit its input; name another model") }
        file = url
        (inputHeight, inputWidth) = (input.shape[1], input.shape[2])
        outputStride = stride
        grid = (width, height)
        self.maps = maps
        description = Self.description(of: url, sha256: ContentDigest.sha256(of: bytes), input, maps)
    }

    private static func bytes(of url: URL) throws(KinemaError) -> [UInt8] {
        func refuse(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: url.path) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw refuse("no such file; name a PoseNet model as .tflite")
        }
        let type = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.type]
        guard !isFolder.boolValue, type as? FileAttributeType == .typeRegular else {
            throw refuse("is not a file; name a PoseNet model as .tflite")
        }
        let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
        guard size <= largest else { throw refuse("is too large for a PoseNet; name another model") }
        guard let data = try? Data(contentsOf: url) else { throw refuse("cannot be read; is it a file you may read?") }
        // Bytes 4 to 7 are the format's identifier.
        guard data.dropFirst(4).prefix(4).elementsEqual("TFL3".utf8) else {
            throw refuse("is no TensorFlow Lite model; name a PoseNet model as .tflite")
        }
        return [UInt8](data)
    }

    /// The maps among a model's outputs, by their channels and, where that is not enough, by their names.
    private static func maps(among outputs: [TFLiteGraph.Tensor]) -> [TFLiteGraph.Tensor]? {
        func maps(_ channels: Int) -> [TFLiteGraph.Tensor] {
            outputs.filter { $0.shape.count == 4 && $0.shape[0] == 1 && $0.shape[3] == channels }
        }
        // BodyPix, which extends PoseNet, gives long offsets too.
        let offsets = maps(34).filter { !$0.name.contains("long") }
        var found = Array(maps(17).prefix(1) + offsets.prefix(1))
        let single = maps(32)
        if let both = maps(64).first {
            found.append(both)
        } else if single.count == 2 {
            // Forward comes first unless the names say otherwise.
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
        // Floating point takes -1...1 as every MobileNetV1 does; 8 bits take the picture's bytes as they are, or less
        // 128 when they have a sign.
        let (mean, scale): (Float, Float) =
            switch input.type {
            case .float32, .float16: (127.5, 127.5)
            case .uint8: (0, 1)
            case .int8: (128, 1)
            }
        let meanings = ["heatmap", "offsets"] + (maps.count == 3 ? ["displacements"] : ["forward", "backward"])
        return ModelDescription(
            name: "posenet", purpose: "finds 17 joints of everyone in a picture", file: url.lastPathComponent,
            licence: "unknown", origin: "named by the user", sha256: sha256,
            input: .init(name: input.name, shape: input.shape, meaning: "RGB, the whole picture stretched"),
            outputs: zip(maps, meanings).map { .init(name: $0.name, shape: $0.shape, meaning: $1) },
            mean: mean, scale: scale, location: url, givesSteps: maps.contains { $0.type != .float32 })
    }

    /// Whether both are the same file's content.
    public static func == (a: PoseNetModel, b: PoseNetModel) -> Bool {
        a.description == b.description
    }

    /// Hashes the file's content.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(description)
    }
}

/// How bodies are found by a PoseNet model.
public struct PoseNetOptions: Sendable, Hashable {
    /// The model.
    public var model: PoseNetModel
    /// How poses are built from what it says.
    public var configuration: PoseBuilderConfiguration
    /// How exact the arithmetic is; models of 8 bits stay what they are.
    public var precision: ModelStore.Precision

    /// Makes options; the defaults find everyone.
    public init(
        model: PoseNetModel, configuration: PoseBuilderConfiguration = .init(), precision: ModelStore.Precision = .f32
    ) {
        self.model = model
        self.configuration = configuration
        self.precision = precision
    }
}

/// Finds everyone in a picture with a PoseNet model: stretch, infer, scale the maps, build the poses.
struct PoseNetDetector: Sendable {
    let options: PoseNetOptions
    private let model: CompiledModelHandle

    /// Throws `.missingComponent` when the inference library is not installed, `.unreadableInput` when the model cannot
    /// be compiled, `.invalidArgument` when the configuration makes no sense.
    init(options: PoseNetOptions, store: ModelStore) throws {
        try options.configuration.validate()
        self.options = options
        model = try store.model(options.model.description, precision: options.precision)
    }

    /// Everyone in the frame, the surest first.
    func people(in frame: VideoFrame) throws -> [DecodedPose] {
        try PoseBuilder(output: output(for: frame), configuration: options.configuration).decode()
    }

    /// What the model says about a frame.
    func output(for frame: VideoFrame) throws -> PoseNetOutput {
        let poseNet = options.model
        let maps = try model.withRequest { request in
            RegionSampler.stretch(
                frame, into: request.input, width: poseNet.inputWidth, height: poseNet.inputHeight)
            try request.infer()
            return zip(request.outputs, poseNet.maps).map { Self.numbers($0, of: $1) }
        }
        let heatmap = poseNet.maps[0].isLogistic ? maps[0] : maps[0].map { 1 / (1 + exp(-$0)) }
        return try PoseNetOutput(
            heatmap: heatmap, offsets: maps[1],
            // A map of both directions has 32 channels forward, then 32 backward.
            forwardDisplacementMap: maps.count == 3 ? Self.channels(0..<32, of: 64, in: maps[2]) : maps[2],
            backwardDisplacementMap: maps.count == 3 ? Self.channels(32..<64, of: 64, in: maps[2]) : maps[3],
            gridWidth: poseNet.grid.width, gridHeight: poseNet.grid.height,
            modelInputSize: CGSize(width: poseNet.inputWidth, height: poseNet.inputHeight),
            modelOutputStride: poseNet.outputStride)
    }

    private static func numbers(_ view: TensorView, of tensor: TFLiteGraph.Tensor) -> [Float] {
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
