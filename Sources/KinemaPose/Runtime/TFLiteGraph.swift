import KinemaCore

/// The graph in a TensorFlow Lite file; it can remove unused outputs. Reads only the needed parts of the flatbuffer
/// (schema: tensorflow/lite/schema, fields by position) and checks every offset against the file's size.
struct TFLiteGraph {
    private var bytes: [UInt8]
    let damaged: KinemaError

    init(_ bytes: [UInt8], file: String) {
        self.init(
            bytes,
            damaged: KinemaError(
                .missingComponent, "is not the expected model; \(KinemaHome.remedy)", file: file))
    }

    init(_ bytes: [UInt8], damaged: KinemaError) { (self.bytes, self.damaged) = (bytes, damaged) }

    /// The model's first subgraph, which is the one that runs.
    func mainGraph() throws -> Int { try element(0, ofVector: field(2, of: table(at: 0))) }

    /// The file with only the named outputs, in their order in the file.
    func keeping(outputs names: Set<String>) throws -> [UInt8] {
        let graph = try mainGraph()
        let tensors = try field(0, of: graph)
        let outputs = try field(2, of: graph)
        let kept = try numbers(ofVector: outputs).filter { number in
            names.contains(try string(at: field(3, of: element(number, ofVector: tensors))))
        }
        guard kept.count == names.count else { throw damaged }
        var result = self
        result.store(kept.count, at: outputs)
        for (index, number) in kept.enumerated() { result.store(number, at: outputs + 4 + 4 * index) }
        return result.bytes
    }

    func byte(at offset: Int) throws -> UInt8 {
        guard bytes.indices.contains(offset) else { throw damaged }
        return bytes[offset]
    }

    func int32(at offset: Int) throws -> Int {
        guard offset >= 0, offset + 4 <= bytes.count else { throw damaged }
        let bits: UInt32 = (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
        return Int(Int32(bitPattern: bits))
    }

    private mutating func store(_ value: Int, at offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    func table(at offset: Int) throws -> Int { offset + (try int32(at: offset)) }

    /// The offset of a table's field; nil if the field is omitted and has its default value.
    func offset(ofField position: Int, in table: Int) throws -> Int? {
        let layout = table - (try int32(at: table))
        guard layout >= 0, layout + 4 <= bytes.count else { throw damaged }
        let length = Int(bytes[layout]) | Int(bytes[layout + 1]) << 8
        guard 6 + 2 * position <= length else { return nil }
        guard layout + 6 + 2 * position <= bytes.count else { throw damaged }
        let shift = Int(bytes[layout + 4 + 2 * position]) | Int(bytes[layout + 5 + 2 * position]) << 8
        return shift == 0 ? nil : table + shift
    }

    /// The offset of the object that a table's field refers to.
    func field(_ position: Int, of table: Int) throws -> Int {
        guard let offset = try offset(ofField: position, in: table) else { throw damaged }
        return try self.table(at: offset)
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

// MARK: - Inputs and outputs

extension TFLiteGraph {
    /// The supported element types; raw values are those of the schema's `TensorType`.
    enum ElementType: UInt8, Sendable {
        case float32 = 0
        case float16 = 1
        case uint8 = 3
        case int8 = 9

        var isQuantized: Bool { self == .uint8 || self == .int8 }
    }

    struct Tensor: Sendable, Hashable {
        var name: String
        var shape: [Int]
        var type: ElementType
        /// The scale of quantized values: (value - zeroPoint) x scale.
        var scale: Float = 1
        /// The zero point of quantized values: (value - zeroPoint) x scale.
        var zeroPoint: Float = 0
        /// Whether the values are the result of a logistic function.
        var isLogistic = false
    }

    func inputs() throws -> [Tensor] {
        let graph = try mainGraph()
        return try numbers(ofVector: field(1, of: graph)).map { try tensor($0, in: graph) }
    }

    func outputs() throws -> [Tensor] {
        let graph = try mainGraph()
        let logistic = try logisticTensors(in: graph)
        return try numbers(ofVector: field(2, of: graph)).map { number in
            var tensor = try tensor(number, in: graph)
            tensor.isLogistic = logistic.contains(number)
            return tensor
        }
    }

    private func tensor(_ number: Int, in graph: Int) throws -> Tensor {
        let table = try element(number, ofVector: field(0, of: graph))
        let code = try offset(ofField: 1, in: table).map { try byte(at: $0) } ?? 0
        guard let type = ElementType(rawValue: code) else { throw damaged }
        let shape = try offset(ofField: 0, in: table).map { try numbers(ofVector: self.table(at: $0)) } ?? []
        guard shape.count <= 8, shape.allSatisfy({ (0...65536).contains($0) }) else { throw damaged }
        var tensor = Tensor(name: try string(at: field(3, of: table)), shape: shape, type: type)
        guard type.isQuantized, let offset = try offset(ofField: 4, in: table) else { return tensor }
        let quantization = try self.table(at: offset)
        // Activations have one scale and one zero point for all channels.
        if let scales = try self.offset(ofField: 2, in: quantization),
            let zeros = try self.offset(ofField: 3, in: quantization)
        {
            let (scale, zero) = (try self.table(at: scales), try self.table(at: zeros))
            guard try int32(at: scale) == 1, try int32(at: zero) == 1 else { throw damaged }
            tensor.scale = Float(bitPattern: UInt32(truncatingIfNeeded: try int32(at: scale + 4)))
            // An integer of 8 bytes; the lower 4 are enough for an 8-bit zero point.
            tensor.zeroPoint = Float(try int32(at: zero + 4))
        }
        guard tensor.scale.isFinite, tensor.scale > 0 else { throw damaged }
        return tensor
    }

    /// The tensors with the result of a logistic function, directly or after a change of number format.
    private func logisticTensors(in graph: Int) throws -> Set<Int> {
        // Codes of the schema's BuiltinOperator.
        let (dequantize, logistic, quantize) = (6, 14, 114)
        let codes = try elements(ofVector: field(1, of: table(at: 0))).map { code -> Int in
            // Codes above 127 are in a newer field; the old one holds at most 127.
            let old = try offset(ofField: 0, in: code).map { Int(try byte(at: $0)) } ?? 0
            return max(old, try offset(ofField: 3, in: code).map { try int32(at: $0) } ?? 0)
        }
        var found: Set<Int> = []
        for operation in try elements(ofVector: field(3, of: graph)) {
            let index = try offset(ofField: 0, in: operation).map { try int32(at: $0) } ?? 0
            guard codes.indices.contains(index) else { throw damaged }
            let isConversion = codes[index] == dequantize || codes[index] == quantize
            guard codes[index] == logistic || isConversion,
                let inputs = try offset(ofField: 1, in: operation), let outputs = try offset(ofField: 2, in: operation)
            else { continue }
            let takesProbability = try !found.isDisjoint(with: numbers(ofVector: table(at: inputs)))
            if codes[index] == logistic || takesProbability {
                found.formUnion(try numbers(ofVector: table(at: outputs)))
            }
        }
        return found
    }

    /// Throws `damaged` unless every tensor and the weights they refer to lie within the file.
    func checkBuffers() throws {
        let graph = try mainGraph()
        for tensor in try elements(ofVector: field(0, of: graph)) { _ = try string(at: field(3, of: tensor)) }
        _ = try elements(ofVector: field(3, of: graph))
        for buffer in try elements(ofVector: field(4, of: table(at: 0))) {
            guard let offset = try offset(ofField: 0, in: buffer) else { continue }
            let vector = try table(at: offset)
            let count = try int32(at: vector)
            guard count >= 0, vector >= 0, vector + 4 + count <= bytes.count else { throw damaged }
        }
    }

    private func numbers(ofVector vector: Int) throws -> [Int] {
        try (0..<count(ofVector: vector)).map { try int32(at: vector + 4 + 4 * $0) }
    }

    private func elements(ofVector vector: Int) throws -> [Int] {
        try (0..<count(ofVector: vector)).map { try element($0, ofVector: vector) }
    }

    private func count(ofVector vector: Int) throws -> Int {
        let count = try int32(at: vector)
        // Real networks have far fewer than 100,000 operations.
        guard (0..<100_000).contains(count) else { throw damaged }
        return count
    }
}
