import Foundation
import KinemaCore

/// Where a decoder finds what it needs among a model's inputs and outputs.
struct ModelLayout: Sendable, Hashable {
    /// The input's size in pixels.
    var width = 0
    var height = 0
    /// Whether the input has one plane for each channel (NCHW).
    var isPlanar = false
    /// Whether the input's shape must be set, since it is not fixed in the file.
    var isDynamic = false
    /// The outputs the decoder reads, in its order, by their place among the model's.
    var outputs: [Int] = []
    /// The number of joints; 0 for a detector.
    var jointCount = 0

    /// Throws in one line unless the model takes one colour picture.
    static func checkInput(of graph: ModelGraph) throws(KinemaError) {
        var layout = ModelLayout()
        try layout.readInput(.heatmap, nil, graph)
    }

    private init() {}

    /// Finds the outputs of a decoder; throws in one line why the model does not fit.
    init(_ decoder: ModelDecoder, _ manifest: ModelManifest?, _ graph: ModelGraph) throws(KinemaError) {
        try readInput(decoder, manifest, graph)
        let found: (outputs: [Int], joints: Int)? =
            switch decoder {
            case .picodet: Self.picoDet(graph, width, height)
            case .rtmdet: Self.suppressed(graph)
            case .yolox: Self.yolox(graph, width, height)
            case .heatmap: Self.heatMaps(graph, width, height)
            case .simcc: Self.simCC(graph, width, height)
            case .rtmo: Self.rtmo(graph)
            case .yoloPose: Self.yoloPose(graph, width, height)
            case .movenet: Self.first(graph) { $0 == [1, 1, 17, 3] }.map { ([$0], 17) }
            case .movenetMulti: Self.first(graph) { $0.count == 3 && $0[2] == 56 }.map { ([$0], 17) }
            case .posenet: graph.format == .tflite && graph.outputs.count >= 3 ? ([], 17) : nil
            }
        guard let found else {
            let given = graph.outputs.prefix(4).map(\.shapeText).joined(separator: " ")
            throw KinemaError(
                .unreadableInput,
                "is not of the layout \(decoder.rawValue): for an input of \(width)x\(height) pixels it gives \(given)",
                file: graph.file.path)
        }
        (outputs, jointCount) = found
        if let joints = manifest?.joints, decoder.kind != .detector, jointCount > 0, joints.keys.count != jointCount {
            throw KinemaError(
                .unreadableInput, "gives \(jointCount) joints where its description has \(joints.keys.count)",
                file: graph.file.path)
        }
    }

    private mutating func readInput(
        _ decoder: ModelDecoder, _ manifest: ModelManifest?, _ graph: ModelGraph
    ) throws(KinemaError) {
        func refuse(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: graph.file.path) }
        guard let input = graph.inputs.first, graph.inputs.count == 1 else {
            throw refuse(
                "takes \(PlainText.counted(graph.inputs.count, "input")), not one picture; choose another model")
        }
        guard input.shape.count == 4, input.shape[0] == 1 || input.shape[0] == -1,
            input.shape[1] == 3 || input.shape[3] == 3,
            ["f32", "f16", "bf16", "u8", "i8", "i32"].contains(input.type)
        else { throw refuse("takes \(input), not one colour picture; choose another model") }
        isPlanar = input.shape[1] == 3
        let fixed =
            isPlanar ? (height: input.shape[2], width: input.shape[3]) : (height: input.shape[1], width: input.shape[2])
        isDynamic = input.shape.contains(-1)
        let asked = (width: manifest?.input.width ?? 0, height: manifest?.input.height ?? 0)
        let usual = decoder.usualSize
        width = fixed.width >= 0 ? fixed.width : asked.width > 0 ? asked.width : usual.width
        height = fixed.height >= 0 ? fixed.height : asked.height > 0 ? asked.height : usual.height
        guard asked.width == 0 || asked.width == width, asked.height == 0 || asked.height == height else {
            throw refuse("takes \(width)x\(height) pixels where its description has \(asked.width)x\(asked.height)")
        }
        guard ModelGraph.sizes.contains(width), ModelGraph.sizes.contains(height) else {
            throw refuse("takes \(width)x\(height) pixels; 16 to 4096 each way are possible")
        }
    }

    /// The number of cells of grids with these strides.
    static func cells(_ width: Int, _ height: Int, strides: [Int]) -> Int {
        strides.reduce(0) { $0 + ((width + $1 - 1) / $1) * ((height + $1 - 1) / $1) }
    }

    /// The first output whose shape passes a test.
    private static func first(_ graph: ModelGraph, _ test: ([Int]) -> Bool) -> Int? {
        graph.outputs.firstIndex { test($0.shape) }
    }

    /// Whether a size is the expected one, or is not fixed.
    private static func fits(_ size: Int, _ expected: Int) -> Bool { size == expected || size == -1 }

    private static func picoDet(_ graph: ModelGraph, _ width: Int, _ height: Int) -> (outputs: [Int], joints: Int)? {
        let count = cells(width, height, strides: [8, 16, 32, 64])
        let boxes = first(graph) { $0.count == 3 && fits($0[1], count) && $0[2] == 4 }
        let scores = first(graph) { $0.count == 3 && (1...1000).contains($0[1]) && fits($0[2], count) }
        guard let boxes, let scores, boxes != scores else { return nil }
        return ([boxes, scores], 0)
    }

    /// Boxes with scores after suppression inside the graph, and their labels if there are any.
    private static func suppressed(_ graph: ModelGraph) -> (outputs: [Int], joints: Int)? {
        // With joints beside them they are RTMO's.
        guard graph.outputs.count <= 2, rtmo(graph) == nil else { return nil }
        let boxes = first(graph) { $0.count == 3 && $0[2] == 5 && $0[1] <= 10_000 }
        let labels = first(graph) { $0.count == 2 }
        return boxes.map { ([$0] + [labels].compactMap(\.self), 0) }
    }

    private static func yolox(_ graph: ModelGraph, _ width: Int, _ height: Int) -> (outputs: [Int], joints: Int)? {
        let count = cells(width, height, strides: [8, 16, 32])
        return first(graph) { $0.count == 3 && fits($0[1], count) && (6...1005).contains($0[2]) }.map { ([$0], 0) }
    }

    private static func heatMaps(_ graph: ModelGraph, _ width: Int, _ height: Int) -> (outputs: [Int], joints: Int)? {
        let found = first(graph) { shape in
            guard shape.count == 4, shape.allSatisfy({ $0 == -1 || $0 >= 1 }), (4...300).contains(shape[1]) else {
                return false
            }
            let (rows, columns) = (shape[2], shape[3])
            // Maps have the input's shape, usually a quarter of its size.
            return rows == -1 || columns == -1
                || (rows >= 8 && columns >= 8 && rows <= height && columns <= width && rows * width == columns * height)
        }
        return found.map { ([$0], graph.outputs[$0].shape[1]) }
    }

    private static func simCC(_ graph: ModelGraph, _ width: Int, _ height: Int) -> (outputs: [Int], joints: Int)? {
        for x in graph.outputs.indices {
            for y in graph.outputs.indices where x != y {
                let (columns, rows) = (graph.outputs[x].shape, graph.outputs[y].shape)
                guard columns.count == 3, rows.count == 3, columns[1] == rows[1], (4...300).contains(columns[1]),
                    columns[2] >= width, rows[2] >= height, columns[2] * height == rows[2] * width
                else { continue }
                return ([x, y], columns[1])
            }
        }
        return nil
    }

    private static func rtmo(_ graph: ModelGraph) -> (outputs: [Int], joints: Int)? {
        let boxes = first(graph) { $0.count == 3 && $0[2] == 5 }
        let joints = first(graph) { $0.count == 4 && $0[3] == 3 && (4...300).contains($0[2]) }
        guard let boxes, let joints else { return nil }
        return ([boxes, joints], graph.outputs[joints].shape[2])
    }

    private static func yoloPose(_ graph: ModelGraph, _ width: Int, _ height: Int) -> (outputs: [Int], joints: Int)? {
        let count = cells(width, height, strides: [8, 16, 32])
        let found = first(graph) {
            $0.count == 3 && $0[1] >= 5 + 12 && $0[1] <= 905 && ($0[1] - 5) % 3 == 0 && fits($0[2], count)
        }
        return found.map { ([$0], (graph.outputs[$0].shape[1] - 5) / 3) }
    }
}
