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
        case float16 = "<f2"
        case int64 = "<i8"
        case int16 = "<i2"
        case int8 = "|i1"
        case uint32 = "<u4"
    }

    /// The number of bytes.
    private static func width(_ element: Element) -> Int { Int(element.rawValue.suffix(1)) ?? 4 }

    /// The bytes of an array of this shape; integers are shares of their full scale.
    ///
    /// `values` are in C order; `isFortran` and `isBigEndian` say how they are written.
    package static func bytes(
        _ values: [Double], shape: [Int], _ element: Element = .float32, isFortran: Bool = false,
        isBigEndian: Bool = false
    ) -> Data {
        let name = isBigEndian ? ">" + element.rawValue.dropFirst() : element.rawValue
        let values = isFortran ? fortran(values, shape) : values
        let dimensions = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
        let header =
            "{'descr': '\(name)', 'fortran_order': \(isFortran ? "True" : "False"), 'shape': (\(dimensions)), }\n"
        var data = Data([0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count & 255), 0] + Array(header.utf8))
        for value in values {
            let number = little(value, element)
            data.append(contentsOf: isBigEndian ? number.reversed() : number)
        }
        return data
    }

    /// Numbers in C order as they follow one another in Fortran order.
    private static func fortran(_ values: [Double], _ shape: [Int]) -> [Double] {
        var turned = values
        for index in values.indices {
            var (rest, place, step) = (index, 0, shape.reduce(1, *))
            for length in shape.reversed() {
                step /= length
                place += rest % length * step
                rest /= length
            }
            turned[place] = values[index]
        }
        return turned
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
        case .float16: bytes(UInt64(Float16(value).bitPattern), 2)
        case .int8, .int16, .int32, .int64, .uint32: bytes(UInt64(bitPattern: Int64(value)), width(element))
        }
    }
}
