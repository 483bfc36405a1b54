@testable import KinemaPose

/// A one-layer network with PoseNet's inputs and outputs in floating point, whose values are known exactly.
///
/// Each map is a 1x1 convolution with the output stride: heatmaps are red x 4, offsets red x 8 (y) and blue x 8 (x),
/// forward displacements green x 16, backward ones green x -16, for colours from -1 to 1.
struct TinyPoseNet {
    var width = 65
    var height = 33
    var stride = 16
    /// Forward and backward displacements are two named outputs, backward first.
    var splitsDisplacements = false
    /// The graph applies the logistic function to the heatmap.
    var givesProbabilities = false
    /// The layer is one that only an accelerator supports, as in models made for it.
    var needsAccelerator = false
    /// The input's element type; 8 bits mean -1...1 in steps of 1/128, which the graph dequantises.
    var input = TFLiteGraph.ElementType.float32
    /// The number of heatmap channels.
    var joints = 17

    private struct Map {
        var name: String
        /// Red, green, blue of each channel.
        var weights: [[Float]]
    }

    private var maps: [Map] {
        let (red, green, blue): ([Float], [Float], [Float]) = ([8, 0, 0], [0, 16, 0], [0, 0, 8])
        let both = [
            Map(name: "displacement_bwd_2", weights: Array(repeating: green.map { -$0 }, count: 32)),
            Map(name: "displacement_fwd_2", weights: Array(repeating: green, count: 32)),
        ]
        let joined = Map(name: "float_mid_offsets", weights: both[1].weights + both[0].weights)
        return [
            Map(
                name: "float_short_offsets",
                weights: Array(repeating: red, count: 17) + Array(repeating: blue, count: 17)),
            Map(name: "float_segments", weights: [green]),
            Map(name: "float_heatmaps", weights: Array(repeating: [4, 0, 0], count: joints)),
        ] + (splitsDisplacements ? both : [joined])
    }

    /// The file.
    var bytes: [UInt8] {
        var graph = Assembly()
        let size = [1, height, width, 3]
        var picture: Int32
        if input == .float32 {
            picture = graph.add("sub_2", size)
        } else {
            let step: Float = 1 / 128
            let steps = Node.table([2: .floats([step]), 3: .long(input == .uint8 ? 128 : 0)])
            let read = graph.add("steps", size, type: input, quantization: steps)
            picture = graph.add("sub_2", size)
            graph.run(.dequantize, on: [read], to: picture)
        }
        let outputs = maps.map { map -> Int32 in
            let shape = [1, (height + stride - 1) / stride, (width + stride - 1) / stride, map.weights.count]
            let weights = graph.add(
                map.name + "/weights", [map.weights.count, 1, 1, 3], values: map.weights.flatMap(\.self))
            let bias = graph.add(map.name + "/bias", [map.weights.count], values: map.weights.map { _ in 0 })
            let result = graph.add(map.name, shape)
            let options = Node.table([0: .number(0), 1: .number(Int32(stride)), 2: .number(Int32(stride))])
            let layer = needsAccelerator ? Assembly.Operation.custom : .convolution
            guard givesProbabilities, map.name == "float_heatmaps" else {
                graph.run(layer, on: [picture, weights, bias], to: result, options: options)
                return result
            }
            let logits = graph.add("logits", shape)
            graph.run(.convolution, on: [picture, weights, bias], to: logits, options: options)
            graph.run(.logistic, on: [logits], to: result)
            return result
        }
        return graph.file(input: 0, outputs: outputs)
    }
}

private typealias Node = FlatBufferWriter.Node

/// The tensors and operations of a network under construction.
private struct Assembly {
    /// Operations with their codes in the schema's `BuiltinOperator`.
    enum Operation: Int32, CaseIterable {
        case convolution = 3
        case dequantize = 6
        case logistic = 14
        case custom = 32
    }

    // The first buffer is the empty one of all computed tensors.
    private var buffers: [Node] = [.table([:])]
    private var tensors: [Node] = []
    private var operations: [Node] = []

    /// Adds a tensor, which is constant if it has values; returns its number.
    mutating func add(
        _ name: String, _ shape: [Int], type: TFLiteGraph.ElementType = .float32, quantization: Node? = nil,
        values: [Float]? = nil
    ) -> Int32 {
        var buffer = 0
        if let values {
            let bytes = values.flatMap { value in
                (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
            }
            buffer = buffers.count
            buffers.append(.table([0: .bytes(bytes)]))
        }
        var fields: [Int: Node] = [
            0: .numbers(shape.map(Int32.init)), 1: .number(Int32(type.rawValue)), 2: .number(Int32(buffer)),
            3: .text(name),
        ]
        fields[4] = quantization
        tensors.append(.table(fields))
        return Int32(tensors.count - 1)
    }

    mutating func run(_ operation: Operation, on inputs: [Int32], to output: Int32, options: Node? = nil) {
        let code = Operation.allCases.firstIndex(of: operation) ?? 0
        var fields: [Int: Node] = [0: .number(Int32(code)), 1: .numbers(inputs), 2: .numbers([output])]
        if let options, operation != .custom { (fields[3], fields[4]) = (.number(1), options) }
        operations.append(.table(fields))
    }

    func file(input: Int32, outputs: [Int32]) -> [UInt8] {
        let codes = Operation.allCases.map { code in
            Node.table([0: .number(code.rawValue), 1: .text("\(code)"), 2: .number(1), 3: .number(code.rawValue)])
        }
        let graph = Node.table([
            0: .tables(tensors), 1: .numbers([input]), 2: .numbers(outputs), 3: .tables(operations), 4: .text("main"),
        ])
        return FlatBufferWriter.file(
            .table([0: .number(3), 1: .tables(codes), 2: .tables([graph]), 4: .tables(buffers)]), identifier: "TFL3")
    }
}
