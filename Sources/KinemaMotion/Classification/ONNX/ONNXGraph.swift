/// A graph of ONNX operators that grows node by node, and the model file that it becomes.
///
/// Field numbers are those of `onnx.proto` (ONNX 1.13); operators those of version 13, which every runtime of today reads.
struct ONNXGraph: Sendable {
    /// A value in the graph, by its name.
    struct Value: Sendable, Hashable {
        let name: String
    }

    /// What a node is told beside its inputs.
    enum Attribute: Sendable {
        case integer(Int)
        case integers([Int])
        case text(String)
    }

    /// An input or output: a tensor of floats.
    struct Port: Sendable {
        var name: String
        var shape: [Int]
        var documentation: String
    }

    static let operatorVersion = 13
    /// The version of the file format that goes with these operators.
    static let formatVersion = 8

    /// Element types of tensors, by ONNX's numbers.
    enum Element: Int {
        case float = 1
        case int64 = 7
    }

    private var body = ProtobufWriter()
    private var count = 0

    private mutating func newName(_ stem: String) -> String {
        count += 1
        return "\(stem)_\(count)"
    }

    /// Adds an operator with one output; `named` gives that its name.
    mutating func node(
        _ operation: String, _ inputs: [Value], _ attributes: [(String, Attribute)] = [], named: String? = nil
    ) -> Value {
        nodes(operation, inputs, attributes, outputs: [named ?? newName(operation)])[0]
    }

    private mutating func nodes(
        _ operation: String, _ inputs: [Value], _ attributes: [(String, Attribute)], outputs: [String]
    ) -> [Value] {
        body.message(1) { node in
            for input in inputs { node.text(1, input.name) }
            for output in outputs { node.text(2, output) }
            node.text(3, outputs[0])
            node.text(4, operation)
            for (name, value) in attributes { node.message(5) { Self.write(value, name, to: &$0) } }
        }
        return outputs.map(Value.init)
    }

    private static func write(_ value: Attribute, _ name: String, to message: inout ProtobufWriter) {
        message.text(1, name)
        switch value {
        case .integer(let integer):
            message.integer(3, integer)
            message.integer(20, 2)
        case .text(let text):
            message.text(4, text)
            message.integer(20, 3)
        case .integers(let integers):
            for integer in integers { message.integer(8, integer) }
            message.integer(20, 7)
        }
    }

    /// Adds a constant tensor of floats.
    mutating func constant(_ values: [Float], shape: [Int]) -> Value {
        tensor(.float, ProtobufWriter.littleEndian(values), shape: shape)
    }

    /// Adds a constant list of integers.
    mutating func constant(_ values: [Int]) -> Value {
        tensor(.int64, ProtobufWriter.littleEndian(values), shape: [values.count])
    }

    private mutating func tensor(_ element: Element, _ data: [UInt8], shape: [Int]) -> Value {
        let name = newName("constant")
        body.message(5) { tensor in
            for size in shape { tensor.integer(1, size) }
            tensor.integer(2, element.rawValue)
            tensor.text(8, name)
            tensor.data(9, data)
        }
        return Value(name: name)
    }

    /// The largest `count` values along an axis, in order.
    mutating func largest(_ count: Int, of value: Value, axis: Int) -> Value {
        let (values, places) = (newName("largest"), newName("places"))
        return nodes(
            "TopK", [value, constant([count])], [("axis", .integer(axis)), ("largest", .integer(1))],
            outputs: [values, places])[0]
    }

    /// The file: inputs and outputs, what is said about the model, and the graph.
    func model(
        named name: String, by producer: String, documentation: String, inputs: [Port], outputs: [Port],
        metadata: [(String, String)]
    ) -> [UInt8] {
        var model = ProtobufWriter()
        model.integer(1, Self.formatVersion)
        model.text(2, producer)
        model.integer(5, 1)
        model.text(6, documentation)
        var graph = body
        graph.text(2, name)
        for (field, ports) in [(11, inputs), (12, outputs)] {
            for port in ports { graph.message(field) { Self.write(port, to: &$0) } }
        }
        model.data(7, graph.bytes)
        model.message(8) { $0.integer(2, Self.operatorVersion) }
        for (key, value) in metadata {
            model.message(14) { entry in
                entry.text(1, key)
                entry.text(2, value)
            }
        }
        return model.bytes
    }

    private static func write(_ port: Port, to message: inout ProtobufWriter) {
        message.text(1, port.name)
        message.message(2) { type in
            type.message(1) { tensor in
                tensor.integer(1, Element.float.rawValue)
                tensor.message(2) { shape in
                    for size in port.shape { shape.message(1) { $0.integer(1, size) } }
                }
            }
        }
        message.text(3, port.documentation)
    }
}

/// Operators by their names in arithmetic.
extension ONNXGraph {
    /// Part of a value along an axis.
    mutating func slice(_ value: Value, axis: Int, from start: Int, to end: Int) -> Value {
        node("Slice", [value, constant([start]), constant([end]), constant([axis])])
    }

    /// Some places of a value along an axis, in the order given.
    mutating func gather(_ value: Value, _ places: [Int], axis: Int) -> Value {
        node("Gather", [value, constant(places)], [("axis", .integer(axis))])
    }

    mutating func concatenate(_ values: [Value], axis: Int) -> Value {
        node("Concat", values, [("axis", .integer(axis))])
    }

    /// The sum along an axis, which stays with size 1.
    mutating func sum(_ value: Value, axis: Int) -> Value {
        node("ReduceSum", [value, constant([axis])], [("keepdims", .integer(1))])
    }

    /// The mean along an axis, which stays with size 1.
    mutating func mean(_ value: Value, axis: Int) -> Value {
        node("ReduceMean", [value], [("axes", .integers([axis])), ("keepdims", .integer(1))])
    }

    /// The maximum along an axis, which stays with size 1.
    mutating func maximum(_ value: Value, axis: Int) -> Value {
        node("ReduceMax", [value], [("axes", .integers([axis])), ("keepdims", .integer(1))])
    }

    mutating func reshape(_ value: Value, _ shape: [Int]) -> Value { node("Reshape", [value, constant(shape)]) }

    mutating func transpose(_ value: Value, _ order: [Int]) -> Value {
        node("Transpose", [value], [("perm", .integers(order))])
    }

    /// The truth values as 0 and 1.
    mutating func number(_ value: Value) -> Value {
        node("Cast", [value], [("to", .integer(Element.float.rawValue))])
    }

    /// Repeats the first and the last place along an axis of a value of `rank` axes.
    mutating func padEdges(_ value: Value, axis: Int, rank: Int, by count: Int) -> Value {
        var pads = [Int](repeating: 0, count: 2 * rank)
        (pads[axis], pads[rank + axis]) = (count, count)
        return node("Pad", [value, constant(pads)], [("mode", .text("edge"))])
    }

    mutating func scalar(_ value: Float) -> Value { constant([value], shape: [1]) }
}
