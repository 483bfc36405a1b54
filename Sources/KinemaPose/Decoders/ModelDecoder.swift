import Foundation
import KinemaCore

/// A published layout of outputs: how to prepare a picture, where the outputs are, and their meaning. To add one, write
/// its file in this folder and list it in `allCases`.
package struct ModelDecoder: RawRepresentable, Hashable, Codable, CaseIterable, Sendable {
    /// The outputs of one inference, in the order of `find`.
    struct Outputs {
        let arrays: [ShapedArray<Float>]
        let input: ModelManifest.Input
        /// For a detector: the class that is a person.
        var personClass = 0
        /// The score below which a person is skipped.
        var minimumScore: Float = 0

        subscript(index: Int) -> ShapedArray<Float> { arrays[index] }
    }

    /// The detections of a model, in pixels of its input.
    enum Decode: Sendable {
        case boxes(@Sendable (Outputs) -> [DetectedBox])
        case joints(@Sendable (Outputs) -> DecodedJoints?)
        case people(@Sendable (Outputs) -> [DecodedJoints])
        case poseNet
    }

    /// The layouts, in the order in which a file without a description is compared with them.
    package static let allCases = [
        movenet, movenetMulti, rtmo, rtmdet, picodet, simcc, yoloPose, yolox, heatmap, posenet,
    ]

    /// The name in `model.json`.
    package let rawValue: String
    /// The width and height to use for a model that takes any size.
    let size: (width: Int, height: Int)
    let input: ModelManifest.Input
    /// The outputs that the decoder reads, by index, and the number of joints (0 for a detector); nil if none fit.
    let find: @Sendable (OutputShapes) -> (outputs: [Int], joints: Int)?
    let decode: Decode

    init(
        _ name: String, size: (width: Int, height: Int), input: ModelManifest.Input,
        find: @escaping @Sendable (OutputShapes) -> (outputs: [Int], joints: Int)?, decode: Decode
    ) {
        (rawValue, self.size, self.input, self.find, self.decode) = (name, size, input, find, decode)
    }

    package init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    package var kind: ModelManifest.Kind {
        switch decode {
        case .boxes: .detector
        case .joints: .topDown
        case .people, .poseNet: .oneStage
        }
    }

    /// ImageNet's mean and standard deviation in levels of 255, red first.
    static let imageNet: (mean: [Float], deviation: [Float]) = ([123.675, 116.28, 103.53], [58.395, 57.12, 57.375])
}

/// The decoder's inputs and outputs among those of a model.
struct ModelLayout: Sendable, Hashable {
    var width = 0
    var height = 0
    /// Whether the input has one plane for each channel (NCHW).
    var isPlanar = false
    var isDynamic = false
    /// The indices of the model's outputs that the decoder reads, in its order.
    var outputs: [Int] = []
    var jointCount = 0

    /// Throws a one-line error unless the model takes one colour picture.
    static func checkInput(of graph: ModelGraph) throws(KinemaError) {
        var layout = ModelLayout()
        try layout.readInput(.heatmap, nil, graph)
    }

    private init() {}

    /// Finds the outputs of a decoder; throws a one-line error if the model does not fit.
    init(_ decoder: ModelDecoder, _ manifest: ModelManifest?, _ graph: ModelGraph) throws(KinemaError) {
        try readInput(decoder, manifest, graph)
        guard let found = decoder.find(OutputShapes(graph: graph, width: width, height: height)) else {
            throw KinemaError(
                .unreadableInput,
                "is not of the layout \(decoder.rawValue): for an input of \(width)x\(height) pixels it gives "
                    + graph.outputsText, file: graph.file.path)
        }
        (outputs, jointCount) = found
        if let joints = manifest?.joints, decoder.kind != .detector, jointCount > 0, joints.keys.count != jointCount {
            throw KinemaError.unreadable(
                "gives \(jointCount) joints, but its description has \(joints.keys.count)", graph.file.path)
        }
    }

    private mutating func readInput(
        _ decoder: ModelDecoder, _ manifest: ModelManifest?, _ graph: ModelGraph
    ) throws(KinemaError) {
        func refuse(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: graph.file.path) }
        guard let input = graph.inputs.first, graph.inputs.count == 1 else {
            throw refuse(
                "takes \(PlainText.counted(graph.inputs.count, "input")), not one image; choose another model")
        }
        guard input.shape.count == 4, input.shape[0] == 1 || input.shape[0] == -1,
            input.shape[1] == 3 || input.shape[3] == 3,
            ["f32", "f16", "bf16", "u8", "i8", "i32"].contains(input.type)
        else { throw refuse("takes \(input), not one colour image; choose another model") }
        isPlanar = input.shape[1] == 3
        let fixed =
            isPlanar ? (height: input.shape[2], width: input.shape[3]) : (height: input.shape[1], width: input.shape[2])
        isDynamic = input.shape.contains(-1)
        let asked = (width: manifest?.input.width ?? 0, height: manifest?.input.height ?? 0)
        width = fixed.width >= 0 ? fixed.width : asked.width > 0 ? asked.width : decoder.size.width
        height = fixed.height >= 0 ? fixed.height : asked.height > 0 ? asked.height : decoder.size.height
        guard asked.width == 0 || asked.width == width, asked.height == 0 || asked.height == height else {
            throw refuse("takes \(width)x\(height) pixels where its description has \(asked.width)x\(asked.height)")
        }
        guard ModelGraph.sizes.contains(width), ModelGraph.sizes.contains(height) else {
            throw refuse("takes \(width)x\(height) pixels; each side must be 16 to 4096")
        }
    }
}

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
