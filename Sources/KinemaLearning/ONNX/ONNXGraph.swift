/// A graph of ONNX operators that grows node by node, and its model file. Field numbers are those of `onnx.proto` (ONNX
/// 1.13), operators those of version 13.
final class ONNXGraph {
    struct Value {
        let name: String
        fileprivate let graph: ONNXGraph
    }

    enum Attribute {
        case integer(Int)
        case integers([Int])
        case text(String)
    }

    /// An input or output: a tensor of floats.
    struct Port {
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

    fileprivate func newName(_ stem: String) -> String {
        count += 1
        return "\(stem)_\(count)"
    }

    /// The value of the model's input or of another node with this name.
    func value(_ name: String) -> Value { Value(name: name, graph: self) }

    /// Adds an operator with one output; `named` gives that its name.
    @discardableResult
    func node(
        _ operation: String, _ inputs: [Value], _ attributes: KeyValuePairs<String, Attribute> = [:],
        named: String? = nil
    ) -> Value {
        nodes(operation, inputs, attributes, outputs: [named ?? newName(operation)])
    }

    fileprivate func nodes(
        _ operation: String, _ inputs: [Value], _ attributes: KeyValuePairs<String, Attribute>, outputs: [String]
    ) -> Value {
        body.message(1) { node in
            for input in inputs { node.text(1, input.name) }
            for output in outputs { node.text(2, output) }
            node.text(3, outputs[0])
            node.text(4, operation)
            for (name, value) in attributes { node.message(5) { Self.write(value, name, to: &$0) } }
        }
        return value(outputs[0])
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

    func constant(_ values: [Float], shape: [Int]) -> Value {
        tensor(.float, ProtobufWriter.littleEndian(values.map(\.bitPattern)), shape: shape)
    }

    func constant(_ values: [Int]) -> Value {
        tensor(.int64, ProtobufWriter.littleEndian(values), shape: [values.count])
    }

    func scalar(_ value: Float) -> Value { constant([value], shape: [1]) }

    private func tensor(_ element: Element, _ data: [UInt8], shape: [Int]) -> Value {
        let name = newName("constant")
        body.message(5) { tensor in
            for size in shape { tensor.integer(1, size) }
            tensor.integer(2, element.rawValue)
            tensor.text(8, name)
            tensor.data(9, data)
        }
        return value(name)
    }

    func concatenate(_ values: [Value], axis: Int) -> Value { node("Concat", values, ["axis": .integer(axis)]) }

    /// The file: inputs and outputs, metadata, and the graph.
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

/// Operators by their names in arithmetic. A number becomes a constant when its operator is added, after the operands.
extension ONNXGraph.Value {
    typealias Value = ONNXGraph.Value

    /// The result of an operator on this value and others.
    func apply(
        _ operation: String, _ others: Value..., with attributes: KeyValuePairs<String, ONNXGraph.Attribute> = [:]
    ) -> Value {
        graph.node(operation, [self] + others, attributes)
    }

    static func + (left: Value, right: Value) -> Value { left.apply("Add", right) }
    static func - (left: Value, right: Value) -> Value { left.apply("Sub", right) }
    static func * (left: Value, right: Value) -> Value { left.apply("Mul", right) }
    static func / (left: Value, right: Value) -> Value { left.apply("Div", right) }
    static func + (left: Value, right: Float) -> Value { left + left.graph.scalar(right) }
    static func - (left: Value, right: Float) -> Value { left - left.graph.scalar(right) }
    static func * (left: Value, right: Float) -> Value { left * left.graph.scalar(right) }

    var magnitude: Value { apply("Abs") }
    var squareRoot: Value { apply("Sqrt") }

    func atLeast(_ limit: Float) -> Value { apply("Max", graph.scalar(limit)) }

    func clipped(to range: ClosedRange<Float>) -> Value {
        apply("Clip", graph.constant([range.lowerBound], shape: []), graph.constant([range.upperBound], shape: []))
    }

    func isGreater(than other: Float) -> Value { apply("Greater", graph.scalar(other)) }
    func isAtLeast(_ other: Float) -> Value { apply("GreaterOrEqual", graph.scalar(other)) }

    func choose(_ one: Value, else other: Value) -> Value { apply("Where", one, other) }

    /// The truth values as 0 and 1.
    var number: Value { apply("Cast", with: ["to": .integer(ONNXGraph.Element.float.rawValue)]) }

    func slice(axis: Int, from start: Int, to end: Int) -> Value {
        apply("Slice", graph.constant([start]), graph.constant([end]), graph.constant([axis]))
    }

    /// The values at some indices along an axis, in the given order.
    func gather(_ places: [Int], axis: Int) -> Value {
        apply("Gather", graph.constant(places), with: ["axis": .integer(axis)])
    }

    /// The sum along an axis, which remains with size 1.
    func sum(axis: Int) -> Value { apply("ReduceSum", graph.constant([axis]), with: ["keepdims": .integer(1)]) }

    /// The mean along an axis, which remains with size 1.
    func mean(axis: Int) -> Value {
        apply("ReduceMean", with: ["axes": .integers([axis]), "keepdims": .integer(1)])
    }

    /// The maximum along an axis, which remains with size 1.
    func maximum(axis: Int) -> Value {
        apply("ReduceMax", with: ["axes": .integers([axis]), "keepdims": .integer(1)])
    }

    func reshape(_ shape: [Int]) -> Value { apply("Reshape", graph.constant(shape)) }

    func transpose(_ order: [Int]) -> Value { apply("Transpose", with: ["perm": .integers(order)]) }

    /// Repeats the first and the last value along an axis of a value with `rank` axes.
    func padEdges(axis: Int, rank: Int, by count: Int) -> Value {
        var pads = [Int](repeating: 0, count: 2 * rank)
        (pads[axis], pads[rank + axis]) = (count, count)
        return apply("Pad", graph.constant(pads), with: ["mode": .text("edge")])
    }

    /// The largest `count` values along an axis, in order.
    func largest(_ count: Int, axis: Int) -> Value {
        let outputs = [graph.newName("largest"), graph.newName("places")]
        return graph.nodes(
            "TopK", [self, graph.constant([count])], ["axis": .integer(axis), "largest": .integer(1)],
            outputs: outputs)
    }
}

/// Writes Protocol Buffers messages (documentation page "Encoding"): varints, bytes and nested messages.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes an integer; negative ones take ten bytes.
    mutating func integer(_ field: Int, _ value: Int) {
        // The low three bits of a key are the wire type: 0 for varints, 2 for lengths and bytes.
        varint(UInt64(field) << 3)
        varint(UInt64(bitPattern: Int64(value)))
    }

    mutating func data(_ field: Int, _ value: [UInt8]) {
        varint(UInt64(field) << 3 | 2)
        varint(UInt64(value.count))
        bytes += value
    }

    mutating func text(_ field: Int, _ value: String) { data(field, Array(value.utf8)) }

    mutating func message(_ field: Int, _ fill: (inout ProtobufWriter) -> Void) {
        var nested = ProtobufWriter()
        fill(&nested)
        data(field, nested.bytes)
    }

    static func littleEndian(_ values: [some FixedWidthInteger]) -> [UInt8] {
        values.flatMap { value in
            stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
        }
    }
}
