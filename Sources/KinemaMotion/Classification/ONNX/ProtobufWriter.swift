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
