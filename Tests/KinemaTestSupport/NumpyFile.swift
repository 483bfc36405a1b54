package import Foundation

/// An array as NumPy writes it, for tests of what reads such files.
package enum NumpyFile {
    /// How numbers are stored.
    package enum Element: String, CaseIterable, Sendable {
        case float64 = "<f8"
        case float32 = "<f4"
        case uint16 = "<u2"
        case uint8 = "|u1"
        case int32 = "<i4"
    }

    /// The bytes of an array of this shape; integers are shares of their full scale.
    package static func bytes(_ values: [Double], shape: [Int], _ element: Element = .float32) -> Data {
        let dimensions = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
        let header = "{'descr': '\(element.rawValue)', 'fortran_order': False, 'shape': (\(dimensions)), }\n"
        var data = Data([0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count & 255), 0] + Array(header.utf8))
        for value in values { data.append(contentsOf: little(value, element)) }
        return data
    }

    private static func little(_ value: Double, _ element: Element) -> [UInt8] {
        func bytes(_ bits: UInt64, _ width: Int) -> [UInt8] {
            (0..<width).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
        }
        return switch element {
        case .float64: bytes(value.bitPattern, 8)
        case .float32: bytes(UInt64(Float(value).bitPattern), 4)
        case .uint16: bytes(UInt64((value * 65535).rounded()), 2)
        case .uint8: bytes(UInt64((value * 255).rounded()), 1)
        case .int32: bytes(UInt64(value), 4)
        }
    }
}
