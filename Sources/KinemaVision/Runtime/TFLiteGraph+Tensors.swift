import Foundation

/// What a TensorFlow Lite file says about its inputs and outputs.
extension TFLiteGraph {
    /// The kinds of numbers that Kinema takes and gives; raw values from the schema's `TensorType`.
    enum ElementType: UInt8, Sendable {
        case float32 = 0
        case float16 = 1
        case uint8 = 3
        case int8 = 9

        /// Whether numbers are steps of a scale.
        var isQuantized: Bool { self == .uint8 || self == .int8 }
    }

    /// A tensor at the graph's edge.
    struct Tensor: Sendable, Hashable {
        var name: String
        var shape: [Int]
        var type: ElementType
        /// A step's number becomes (number - zeroPoint) x scale; 1 and 0 when there is no quantisation.
        var scale: Float = 1
        var zeroPoint: Float = 0
        /// Whether the number is a probability already, by the operation that makes it.
        var isLogistic = false
    }

    /// The tensors the model reads.
    func inputs() throws -> [Tensor] {
        let graph = try mainGraph()
        return try numbers(ofVector: field(1, of: graph)).map { try tensor($0, in: graph) }
    }

    /// The tensors the model gives.
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
        let code = try place(of: 1, in: table).map { try byte(at: $0) } ?? 0
        guard let type = ElementType(rawValue: code) else { throw damaged }
        let shape = try place(of: 0, in: table).map { try numbers(ofVector: self.table(at: $0)) } ?? []
        guard shape.count <= 8, shape.allSatisfy({ (0...65536).contains($0) }) else { throw damaged }
        var tensor = Tensor(name: try string(at: field(3, of: table)), shape: shape, type: type)
        guard type.isQuantized, let place = try place(of: 4, in: table) else { return tensor }
        let quantization = try self.table(at: place)
        // Lists of one number: activations have one scale for all channels.
        if let scales = try self.place(of: 2, in: quantization), let zeros = try self.place(of: 3, in: quantization) {
            let (scale, zero) = (try self.table(at: scales), try self.table(at: zeros))
            guard try int32(at: scale) == 1, try int32(at: zero) == 1 else { throw damaged }
            tensor.scale = Float(bitPattern: UInt32(truncatingIfNeeded: try int32(at: scale + 4)))
            // Eight bytes, of which the lower four hold all that eight bits can mean.
            tensor.zeroPoint = Float(try int32(at: zero + 4))
        }
        guard tensor.scale.isFinite, tensor.scale > 0 else { throw damaged }
        return tensor
    }

    /// The tensors that a logistic function gives, also through a change of number format.
    private func logisticTensors(in graph: Int) throws -> Set<Int> {
        // Codes of the schema's BuiltinOperator.
        let (dequantize, logistic, quantize) = (6, 14, 114)
        let codes = try elements(ofVector: field(1, of: table(at: 0))).map { code -> Int in
            // Codes beyond 127 have a field of their own, and the old one holds at most 127.
            let old = try place(of: 0, in: code).map { Int(try byte(at: $0)) } ?? 0
            return max(old, try place(of: 3, in: code).map { try int32(at: $0) } ?? 0)
        }
        var found: Set<Int> = []
        for operation in try elements(ofVector: field(3, of: graph)) {
            let index = try place(of: 0, in: operation).map { try int32(at: $0) } ?? 0
            guard codes.indices.contains(index) else { throw damaged }
            let isPassing = codes[index] == dequantize || codes[index] == quantize
            guard codes[index] == logistic || isPassing,
                let inputs = try place(of: 1, in: operation), let outputs = try place(of: 2, in: operation)
            else { continue }
            let takesProbability = try !found.isDisjoint(with: numbers(ofVector: table(at: inputs)))
            if codes[index] == logistic || takesProbability {
                found.formUnion(try numbers(ofVector: table(at: outputs)))
            }
        }
        return found
    }

    private func numbers(ofVector vector: Int) throws -> [Int] {
        try (0..<count(ofVector: vector)).map { try int32(at: vector + 4 + 4 * $0) }
    }

    private func elements(ofVector vector: Int) throws -> [Int] {
        try (0..<count(ofVector: vector)).map { try element($0, ofVector: vector) }
    }

    private func count(ofVector vector: Int) throws -> Int {
        let count = try int32(at: vector)
        // A network of a hundred thousand operations is no network.
        guard (0..<100_000).contains(count) else { throw damaged }
        return count
    }
}
