/// Reads integers from bytes; nil beyond the end.
struct ByteReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func number(at position: Int, bytes length: Int, littleEndian: Bool) -> Int? {
        guard position >= 0, position <= count - length else { return nil }
        let part = bytes[position..<position + length]
        return littleEndian ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }

    func matches(_ expected: [UInt8], at position: Int) -> Bool {
        position >= 0 && position <= count - expected.count
            && bytes[position..<position + expected.count].elementsEqual(expected)
    }
}
