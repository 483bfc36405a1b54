import Foundation
import KinemaCore

/// An array from a NumPy file (formats 1 to 3) in C order: little-endian floating point or whole numbers; those of uint8
/// and uint16 have 1 as their full scale.
struct NumpyArray {
    /// How a number is stored.
    private enum Element: String, CaseIterable {
        case float64 = "'<f8'"
        case float32 = "'<f4'"
        case float16 = "'<f2'"
        case int64 = "'<i8'"
        case int32 = "'<i4'"
        case int16 = "'<i2'"
        case uint16 = "'<u2'"
        case uint8 = "'|u1'"

        /// Bytes of a number.
        var width: Int {
            switch self {
            case .float64, .int64: 8
            case .float32, .int32: 4
            case .float16, .int16, .uint16: 2
            case .uint8: 1
            }
        }

        /// The number that has these bits.
        func value(_ bits: UInt64) -> Float {
            switch self {
            case .float64: Float(Double(bitPattern: bits))
            case .float32: Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            case .float16: Float(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
            case .int64: Float(Int64(bitPattern: bits))
            case .int32: Float(Int32(truncatingIfNeeded: bits))
            case .int16: Float(Int16(truncatingIfNeeded: bits))
            case .uint16: Float(bits) / Float(UInt16.max)
            case .uint8: Float(bits) / Float(UInt8.max)
            }
        }
    }

    let shape: [Int]
    private let bytes: [UInt8]
    private let start: Int
    private let element: Element

    /// Whether the numbers are shares of their full scale.
    var areShares: Bool { element == .uint16 || element == .uint8 }

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
        guard let element = Element.allCases.first(where: { header.contains($0.rawValue) }) else {
            throw broken("does not hold floating point or whole numbers in little-endian order; convert it to float32")
        }
        guard let shape = Self.shape(header) else { throw broken("has an invalid shape") }
        var count = 1
        for length in shape {
            let (product, overflow) = count.multipliedReportingOverflow(by: length)
            guard !overflow, product <= bytes.count / element.width else { throw broken("is damaged or cut short") }
            count = product
        }
        guard bytes.count - start >= count * element.width else { throw broken("is damaged or cut short") }
        (self.shape, self.bytes, self.start, self.element) = (shape, bytes, start, element)
    }

    /// Some of the numbers, read in place.
    func values(_ range: Range<Int>) -> [Float] {
        let width = element.width
        return range.map { index in
            let offset = start + index * width
            return element.value((0..<width).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) })
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
