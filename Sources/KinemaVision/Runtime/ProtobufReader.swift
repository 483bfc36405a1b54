import KinemaCore

/// Reads a Protocol Buffers message field by field, without copying, checking every length. Groups are refused.
struct ProtobufReader {
    enum Value {
        case number(UInt64)
        /// Bytes, a text or a nested message, by its place.
        case bytes(Range<Int>)
        /// A number of four or eight bytes.
        case fixed
    }

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int
    private let damaged: KinemaError

    init(_ bytes: [UInt8], _ range: Range<Int>, damaged: KinemaError) {
        (self.bytes, self.damaged) = (bytes, damaged)
        (position, end) = (range.lowerBound, min(range.upperBound, bytes.count))
    }

    /// The next field's number and value; nil at the end.
    mutating func next() throws(KinemaError) -> (field: Int, value: Value)? {
        guard position < end else { return nil }
        let key = try varint()
        // Field numbers have 29 bits.
        guard key >> 3 >= 1, key >> 3 < 1 << 29 else { throw damaged }
        let field = Int(key >> 3)
        switch key & 7 {
        case 0: return (field, .number(try varint()))
        case 1:
            try skip(8)
            return (field, .fixed)
        case 2:
            let count = try varint()
            guard count <= UInt64(end - position) else { throw damaged }
            let start = position
            try skip(Int(count))
            return (field, .bytes(start..<position))
        case 5:
            try skip(4)
            return (field, .fixed)
        default: throw damaged
        }
    }

    private mutating func skip(_ count: Int) throws(KinemaError) {
        guard count <= end - position else { throw damaged }
        position += count
    }

    private mutating func varint() throws(KinemaError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard position < end else { throw damaged }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
        }
        throw damaged
    }
}
