import Foundation
import KinemaCore

/// Cuts outputs from a TensorFlow Lite file, so that what only they need is never computed.
///
/// Reads the flatbuffer just far enough: model, first subgraph, its lists of inputs and outputs and their tensors
/// (schema: tensorflow/lite/schema, fields by position). Every offset is checked against the file's size.
struct TFLiteGraph {
    private var bytes: [UInt8]
    /// What is thrown when the file is not what it should be.
    let damaged: KinemaError

    /// Takes a file's content; `file` names it in errors.
    init(_ bytes: [UInt8], file: String) {
        self.init(
            bytes,
            damaged: KinemaError(
                .missingComponent, "is not the model expected; run script/bootstrap to fetch it again", file: file))
    }

    /// Takes a file's content, and the error to throw when it makes no sense.
    init(_ bytes: [UInt8], damaged: KinemaError) {
        self.bytes = bytes
        self.damaged = damaged
    }

    /// The model's first graph, which is the one that runs.
    func mainGraph() throws -> Int {
        try element(0, ofVector: field(2, of: table(at: 0)))
    }

    /// The file with only the named outputs left, in their order in the file.
    func keeping(outputs names: Set<String>) throws -> [UInt8] {
        let graph = try mainGraph()
        let tensors = try field(0, of: graph)
        let outputs = try field(2, of: graph)
        var kept: [Int] = []
        let count = try int32(at: outputs)
        guard count >= 0, count < 1000 else { throw damaged }
        for index in 0..<count {
            let number = try int32(at: outputs + 4 + 4 * index)
            if names.contains(try string(at: field(3, of: element(number, ofVector: tensors)))) { kept.append(number) }
        }
        guard kept.count == names.count else { throw damaged }
        var result = self
        result.store(kept.count, at: outputs)
        for (index, number) in kept.enumerated() { result.store(number, at: outputs + 4 + 4 * index) }
        return result.bytes
    }

    /// The byte at an offset.
    func byte(at offset: Int) throws -> UInt8 {
        guard bytes.indices.contains(offset) else { throw damaged }
        return bytes[offset]
    }

    func int32(at offset: Int) throws -> Int {
        guard offset >= 0, offset + 4 <= bytes.count else { throw damaged }
        return Int(
            Int32(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }))
    }

    private mutating func store(_ value: Int, at offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    func table(at offset: Int) throws -> Int {
        offset + (try int32(at: offset))
    }

    /// Where a table's field lies; nil when it is left out and has its default.
    func place(of position: Int, in table: Int) throws -> Int? {
        let layout = table - (try int32(at: table))
        guard layout >= 0, layout + 4 <= bytes.count else { throw damaged }
        let length = Int(bytes[layout]) | Int(bytes[layout + 1]) << 8
        guard 6 + 2 * position <= length else { return nil }
        guard layout + 6 + 2 * position <= bytes.count else { throw damaged }
        let shift = Int(bytes[layout + 4 + 2 * position]) | Int(bytes[layout + 5 + 2 * position]) << 8
        return shift == 0 ? nil : table + shift
    }

    /// What a table's field refers to.
    func field(_ position: Int, of table: Int) throws -> Int {
        guard let place = try place(of: position, in: table) else { throw damaged }
        return try self.table(at: place)
    }

    func element(_ index: Int, ofVector vector: Int) throws -> Int {
        guard index >= 0, index < (try int32(at: vector)) else { throw damaged }
        return try table(at: vector + 4 + 4 * index)
    }

    func string(at offset: Int) throws -> String {
        let count = try int32(at: offset)
        guard count >= 0, offset + 4 + count <= bytes.count else { throw damaged }
        return String(decoding: bytes[(offset + 4)..<(offset + 4 + count)], as: UTF8.self)
    }
}
