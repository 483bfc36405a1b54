/// Numbers of eight bytes each, little-endian.
enum WireNumbers {
    static func bytes(_ numbers: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * 8)
        for number in numbers {
            for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
        }
        return bytes
    }

    /// The whole numbers in the bytes; ignores an incomplete one at the end.
    static func read(_ bytes: ArraySlice<UInt8>) -> [Int] {
        stride(from: bytes.startIndex, through: bytes.endIndex - 8, by: 8).map { start in
            (0..<8).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
        }
    }
}
