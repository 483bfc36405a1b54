import Foundation
import KinemaCore

/// Cuts outputs from a TensorFlow Lite file, so that what only they need is never computed.
///
/// Reads the flatbuffer just far enough: model, first subgraph, its list of outputs and their tensors' names
/// (schema: tensorflow/lite/schema, fields by position). Every offset is checked against the file's size.
struct TFLiteGraph {
    private var bytes: [UInt8]
    private let file: String

    /// Takes a file's content; `file` names it in errors.
    init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    /// The file with only the named outputs left, in their order in the file.
    func keeping(outputs names: Set<String>) throws -> [UInt8] {
        let graph = try element(0, ofVector: field(2, of: table(at: 0)))
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

    private var damaged: KinemaError {
        KinemaError(.missingComponent, "is not the model expected; run script/bootstrap to fetch it again", file: file)
    }

    private func int32(at offset: Int) throws -> Int {
        guard offset >= 0, offset + 4 <= bytes.count else { throw damaged }
        return Int(
            Int32(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }))
    }

    private mutating func store(_ value: Int, at offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    private func table(at offset: Int) throws -> Int {
        offset + (try int32(at: offset))
    }

    private func field(_ position: Int, of table: Int) throws -> Int {
        let layout = table - (try int32(at: table))
        guard layout >= 0, layout + 6 + 2 * position <= bytes.count else { throw damaged }
        let shift = Int(bytes[layout + 4 + 2 * position]) | Int(bytes[layout + 5 + 2 * position]) << 8
        guard shift != 0 else { throw damaged }
        return try self.table(at: table + shift)
    }

    private func element(_ index: Int, ofVector vector: Int) throws -> Int {
        guard index >= 0, index < (try int32(at: vector)) else { throw damaged }
        return try table(at: vector + 4 + 4 * index)
    }

    private func string(at offset: Int) throws -> String {
        let count = try int32(at: offset)
        guard count >= 0, offset + 4 + count <= bytes.count else { throw damaged }
        return String(decoding: bytes[(offset + 4)..<(offset + 4 + count)], as: UTF8.self)
    }
}
