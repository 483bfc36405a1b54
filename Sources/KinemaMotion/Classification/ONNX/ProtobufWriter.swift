import Foundation

/// Writes messages of Protocol Buffers, as far as ONNX needs them: varints, bytes and nested messages.
///
/// The encoding is that of the Protocol Buffers documentation, "Encoding".
struct ProtobufWriter: Sendable {
    /// The message so far.
    private(set) var bytes: [UInt8] = []

    /// How a value is stored; the low three bits of its key.
    private enum Wire: UInt64 {
        case varint = 0
        case delimited = 2
        case float = 5
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func key(_ field: Int, _ wire: Wire) { varint(UInt64(field) << 3 | wire.rawValue) }

    /// Writes an integer; negative ones take ten bytes.
    mutating func integer(_ field: Int, _ value: Int) {
        key(field, .varint)
        varint(UInt64(bitPattern: Int64(value)))
    }

    /// Writes a float of four bytes.
    mutating func float(_ field: Int, _ value: Float) {
        key(field, .float)
        bytes += Self.littleEndian([value])
    }

    /// Writes bytes with their length.
    mutating func data(_ field: Int, _ value: [UInt8]) {
        key(field, .delimited)
        varint(UInt64(value.count))
        bytes += value
    }

    /// Writes text in UTF-8.
    mutating func text(_ field: Int, _ value: String) { data(field, Array(value.utf8)) }

    /// Writes a nested message.
    mutating func message(_ field: Int, _ fill: (inout ProtobufWriter) -> Void) {
        var nested = ProtobufWriter()
        fill(&nested)
        data(field, nested.bytes)
    }

    /// The bytes of floats, the lowest first.
    static func littleEndian(_ values: [Float]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * $0)) } }
    }

    /// The bytes of 64-bit integers, the lowest first.
    static func littleEndian(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }
}
