/// Writes the few kinds of nodes of a TensorFlow Lite file, each after the node that refers to it.
struct FlatBufferWriter {
    indirect enum Node {
        /// Fields by position; missing positions are left out.
        case table([Int: Node])
        case tables([Node])
        case numbers([Int32])
        case floats([Float])
        /// A list of one eight-byte number.
        case long(Int64)
        case bytes([UInt8])
        case text(String)
        /// A number in the table itself.
        case number(Int32)
    }

    private var bytes: [UInt8] = []

    /// A file with this root table and identifier.
    static func file(_ root: Node, identifier: String) -> [UInt8] {
        var writer = FlatBufferWriter()
        writer.append(0)
        writer.bytes += Array(identifier.utf8)
        writer.refer(from: 0, to: root)
        return writer.bytes
    }

    private mutating func append(_ value: Int32) {
        withUnsafeBytes(of: value.littleEndian) { bytes += Array($0) }
    }

    private mutating func store(_ value: Int, at offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    private mutating func refer(from offset: Int, to node: Node) {
        while bytes.count % 8 != 0 { bytes.append(0) }
        switch node {
        case .table(let fields): writeTable(fields, from: offset)
        case .tables(let nodes):
            store(bytes.count - offset, at: offset)
            append(Int32(nodes.count))
            let first = bytes.count
            for _ in nodes { append(0) }
            for (index, node) in nodes.enumerated() { refer(from: first + 4 * index, to: node) }
        case .numbers(let values): writeVector(values.count, from: offset, values.map { UInt32(bitPattern: $0) })
        case .floats(let values): writeVector(values.count, from: offset, values.map(\.bitPattern))
        case .long(let value):
            // The number itself, not the count before it, is aligned to eight bytes.
            append(0)
            store(bytes.count - offset, at: offset)
            append(1)
            withUnsafeBytes(of: value.littleEndian) { bytes += Array($0) }
        case .bytes(let values):
            store(bytes.count - offset, at: offset)
            append(Int32(values.count))
            bytes += values
        case .text(let text):
            store(bytes.count - offset, at: offset)
            append(Int32(text.utf8.count))
            bytes += Array(text.utf8) + [0]
        case .number: return
        }
    }

    private mutating func writeVector(_ count: Int, from offset: Int, _ values: [UInt32]) {
        store(bytes.count - offset, at: offset)
        append(Int32(count))
        for value in values { append(Int32(bitPattern: value)) }
    }

    /// Writes the offsets of the fields, the table with four bytes per field, and then what the fields refer to.
    private mutating func writeTable(_ fields: [Int: Node], from offset: Int) {
        let positions = (fields.keys.max() ?? -1) + 1
        let (layout, layoutSize) = (bytes.count, 4 + 2 * positions)
        let order = fields.keys.sorted()
        var shifts = [UInt16](repeating: 0, count: positions)
        for (index, key) in order.enumerated() { shifts[key] = UInt16(4 + 4 * index) }
        for value in [UInt16(layoutSize), UInt16(4 + 4 * order.count)] + shifts {
            bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        while bytes.count % 8 != 0 { bytes.append(0) }
        let table = bytes.count
        store(table - offset, at: offset)
        append(Int32(table - layout))
        for key in order {
            if case .number(let value)? = fields[key] { append(value) } else { append(0) }
        }
        for (index, key) in order.enumerated() {
            guard let node = fields[key] else { continue }
            refer(from: table + 4 + 4 * index, to: node)
        }
    }
}
