import Foundation
import KinemaCore

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
