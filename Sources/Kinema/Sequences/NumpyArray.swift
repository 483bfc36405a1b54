import Foundation
import KinemaCore

/// An array from a NumPy file (formats 1 to 3): little-endian floating point numbers in C order.
struct NumpyArray {
    let shape: [Int]
    private let bytes: [UInt8]
    private let start: Int
    private let width: Int

    /// Parses a file; throws `unreadableInput` when it is not a NumPy array of this kind.
    init(_ bytes: [UInt8], file: String) throws(KinemaError) {
        func broken(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file) }
        guard bytes.count >= 12, bytes.starts(with: [0x93] + Array("NUMPY".utf8)) else {
            throw broken("is not a NumPy array")
        }
        // The header's length is 2 bytes long in format 1 and 4 after.
        let sizeBytes = bytes[6] == 1 ? 2 : 4
        let headerSize = (0..<sizeBytes).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
        let start = 8 + sizeBytes + headerSize
        guard (1...3).contains(bytes[6]), start <= bytes.count else { throw broken("is damaged or cut short") }
        let header = String(decoding: bytes[(8 + sizeBytes)..<start], as: UTF8.self)
        guard header.contains("'fortran_order': False") else { throw broken("is not in C order; save it in C order") }
        let width = header.contains("'<f8'") ? 8 : header.contains("'<f4'") ? 4 : 0
        guard width > 0 else { throw broken("does not hold 32 or 64 bit floating point numbers; convert it") }
        guard let shape = Self.shape(header) else { throw broken("has an invalid shape") }
        var count = 1
        for length in shape {
            let (product, overflow) = count.multipliedReportingOverflow(by: length)
            guard !overflow, product <= bytes.count / width else { throw broken("is damaged or cut short") }
            count = product
        }
        guard bytes.count - start >= count * width else { throw broken("is damaged or cut short") }
        (self.shape, self.bytes, self.start, self.width) = (shape, bytes, start, width)
    }

    /// Some of the numbers, read in place.
    func values(_ range: Range<Int>) -> [Float] {
        range.map { index in
            let offset = start + index * width
            let bits = (0..<width).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
            return width == 8
                ? Float(Double(bitPattern: bits)) : Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        }
    }

    private static func shape(_ header: String) -> [Int]? {
        guard let open = header.firstRange(of: "'shape': ("),
            let close = header[open.upperBound...].firstIndex(of: ")")
        else { return nil }
        let parts = header[open.upperBound..<close].split(separator: ",").map { $0.filter { $0 != " " } }
        let numbers = parts.filter { !$0.isEmpty }.map { Int($0) ?? -1 }
        return numbers.allSatisfy { $0 >= 0 } && !numbers.isEmpty ? numbers : nil
    }
}
