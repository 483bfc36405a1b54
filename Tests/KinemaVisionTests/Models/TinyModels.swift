import Foundation

/// Writes models whose outputs are constants: OpenVINO's pair of files, and ONNX byte by byte.
enum TinyModels {
    /// An output and its values.
    struct Output {
        var name: String
        var shape: [Int]
        var values: [Float]
    }

    /// Writes an .xml and a .bin file; the input is [1, 3, height, width], or with `echo` also the last output.
    static func writeIR(
        _ url: URL, input: [Int], outputs: [Output], echoes: Bool = false, inputs: Int = 1
    ) throws {
        var layers: [String] = []
        var edges: [String] = []
        var weights = Data()
        func dims(_ shape: [Int]) -> String { shape.map { "<dim>\($0)</dim>" }.joined() }
        func text(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: ",") }
        func result(of source: Int, _ shape: [Int], _ id: Int) {
            layers.append(
                "<layer id=\"\(id)\" name=\"r\(id)\" type=\"Result\" version=\"opset1\"><input><port id=\"0\" "
                    + "precision=\"FP32\">\(dims(shape))</port></input></layer>")
            edges.append("<edge from-layer=\"\(source)\" from-port=\"0\" to-layer=\"\(id)\" to-port=\"0\"/>")
        }
        for index in 0..<inputs {
            layers.append(
                "<layer id=\"\(index)\" name=\"image\(index)\" type=\"Parameter\" version=\"opset1\"><data "
                    + "shape=\"\(text(input))\" element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\" "
                    + "names=\"image\(index)\">\(dims(input))</port></output></layer>")
        }
        for (index, output) in outputs.enumerated() {
            let id = 10 + 2 * index
            let bytes = output.values.withUnsafeBytes { Data($0) }
            layers.append(
                "<layer id=\"\(id)\" name=\"\(output.name)\" type=\"Const\" version=\"opset1\"><data "
                    + "element_type=\"f32\" shape=\"\(text(output.shape))\" offset=\"\(weights.count)\" "
                    + "size=\"\(bytes.count)\"/><output><port id=\"0\" precision=\"FP32\" names=\"\(output.name)\">"
                    + "\(dims(output.shape))</port></output></layer>")
            weights += bytes
            result(of: id, output.shape, id + 1)
        }
        if echoes { result(of: 0, input, 100) }
        let document =
            "<?xml version=\"1.0\"?><net name=\"tiny\" version=\"11\"><layers>\(layers.joined())</layers><edges>"
            + "\(edges.joined())</edges></net>"
        try Data(document.utf8).write(to: url)
        try (weights + Data(count: 64)).write(to: url.deletingPathExtension().appendingPathExtension("bin"))
    }

    /// The bytes of an ONNX model with an input of any size, [?, 3, ?, ?].
    static func onnx(_ outputs: [Output]) -> [UInt8] {
        func valueInfo(_ name: String, _ sizes: [Int?]) -> [UInt8] {
            let dims = sizes.flatMap { size in
                Proto.bytes(1, size.map { Proto.number(1, $0) } ?? Proto.bytes(2, Array("any".utf8)))
            }
            let tensor = Proto.number(1, 1) + Proto.bytes(2, dims)
            return Proto.bytes(1, Array(name.utf8)) + Proto.bytes(2, Proto.bytes(1, tensor))
        }
        var graph = Proto.bytes(2, Array("tiny".utf8))
        for output in outputs {
            graph += Proto.bytes(
                1,
                Proto.bytes(1, Array((output.name + "_value").utf8)) + Proto.bytes(2, Array(output.name.utf8))
                    + Proto.bytes(4, Array("Identity".utf8)))
            let data = output.values.withUnsafeBytes { Array($0) }
            graph += Proto.bytes(
                5,
                output.shape.flatMap { Proto.number(1, $0) } + Proto.number(2, 1)
                    + Proto.bytes(8, Array((output.name + "_value").utf8)) + Proto.bytes(9, data))
        }
        graph += Proto.bytes(11, valueInfo("input", [nil, 3, nil, nil]))
        for output in outputs { graph += Proto.bytes(12, valueInfo(output.name, output.shape)) }
        return Proto.number(1, 8) + Proto.bytes(7, graph) + Proto.bytes(8, Proto.bytes(1, []) + Proto.number(2, 13))
    }

    /// Protocol Buffers' wire format: fields as numbers or as bytes with their count.
    private enum Proto {
        static func varint(_ value: Int) -> [UInt8] {
            var (rest, bytes) = (UInt64(value), [UInt8]())
            repeat {
                bytes.append(UInt8(rest & 127) | (rest > 127 ? 128 : 0))
                rest >>= 7
            } while rest > 0
            return bytes
        }
        static func number(_ field: Int, _ value: Int) -> [UInt8] { varint(field << 3) + varint(value) }
        static func bytes(_ field: Int, _ value: [UInt8]) -> [UInt8] {
            varint(field << 3 | 2) + varint(value.count) + value
        }
    }
}
