public import Foundation
public import KinemaCore
import KinemaMedia

/// A MobileNetV1 PoseNet in a TensorFlow Lite file, with any input size, output stride and number format.
public struct PoseNetModel: Sendable, Hashable {
    let file: URL
    package let inputWidth: Int
    package let inputHeight: Int
    /// The distance of two neighbouring map cells in pixels of the input.
    public let outputStride: Int
    /// The runtime's description, with outputs in the order of `maps`.
    let description: ModelDescription
    /// The maps: heatmap, offsets, then displacements in one map or as forward and backward.
    let maps: [TFLiteGraph.Tensor]

    var grid: (width: Int, height: Int) { (maps[0].shape[2], maps[0].shape[1]) }

    /// The output strides of MobileNetV1.
    private static let strides = [2, 4, 8, 16, 32]
    /// The maximum file size; the largest of these models has about 15 MB.
    private static let maximumSize = 256 << 20

    /// Reads the description from a file without compiling; throws `.unreadableInput` unless it is a PoseNet model.
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
            throw refuse("is not a PoseNet model: its input is not one RGB image of fixed size; choose another model")
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
        // Floating-point inputs are -1...1, as for every MobileNetV1; signed 8-bit inputs are the bytes minus 128.
        let (mean, scale): (Float, Float) =
            switch input.type {
            case .float32, .float16: (127.5, 127.5)
            case .uint8: (0, 1)
            case .int8: (128, 1)
            }
        let meanings = ["heatmap", "offsets"] + (maps.count == 3 ? ["displacements"] : ["forward", "backward"])
        return ModelDescription(
            name: "posenet", purpose: "detects 17 joints of everyone in a frame", file: url.lastPathComponent,
            licence: "unknown", origin: "chosen by the user", sha256: sha256,
            input: .init(name: input.name, shape: input.shape, meaning: "RGB, the whole frame stretched"),
            outputs: zip(maps, meanings).map { .init(name: $0.name, shape: $0.shape, meaning: $1) },
            mean: [mean], scale: [scale], location: url, hasFloatOutputs: maps.contains { $0.type != .float32 })
    }
}

extension ModelDecoder {
    /// PoseNet (Papandreou et al. 2018): heat maps, offsets and displacements, TensorFlow Lite only.
    static let posenet = ModelDecoder(
        "posenet", size: (257, 257), input: .init(mean: [127.5], scale: [127.5]),
        find: { $0.graph.format == .tflite && $0.graph.outputs.count >= 3 ? ([], 17) : nil }, decode: .poseNet)
}

/// The options for detecting bodies with a PoseNet model.
public struct PoseNetOptions: Sendable, Hashable {
    package let model: PoseNetModel
    package let configuration: PoseBuilderConfiguration
    package let precision: ModelStore.Precision

    /// Creates options; the defaults detect everyone.
    public init(
        model: PoseNetModel, configuration: PoseBuilderConfiguration = .init(), precision: ModelStore.Precision = .f32
    ) {
        (self.model, self.configuration, self.precision) = (model, configuration, precision)
    }
}

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

enum PoseNetSkeleton {
    /// The 17 joints in the order of the maps, which is COCO's.
    static let joints = COCOJoints.all

    /// The edges in the order of the displacement maps: a tree with the nose as its root.
    static let edges: [(parent: Int, child: Int)] = [
        (0, 1), (1, 3), (0, 2), (2, 4), (0, 5), (5, 7), (7, 9), (5, 11), (11, 13), (13, 15), (0, 6), (6, 8), (8, 10),
        (6, 12), (12, 14), (14, 16),
    ]

    struct Step: Hashable {
        let edge: Int
        let target: Int
        let isForward: Bool
    }

    static let steps: [[Step]] = joints.indices.map { joint in
        edges.enumerated().compactMap { index, edge in
            if edge.parent == joint { return Step(edge: index, target: edge.child, isForward: true) }
            return edge.child == joint ? Step(edge: index, target: edge.parent, isForward: false) : nil
        }
    }

    /// Vision's joints that are the midpoint of two PoseNet joints.
    static let middles: [(key: JointKey, between: (Int, Int))] = [(.neck, (5, 6)), (.root, (11, 12))]
}
