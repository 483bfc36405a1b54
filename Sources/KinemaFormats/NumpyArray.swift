import Foundation
import KinemaCore

/// An array of numbers from a NumPy file (formats 1 to 3), in C or Fortran order and either byte order. The full scale
/// of uint8, and of uint16 that uses its upper range, becomes 1.
struct NumpyArray {
    private struct Element {
        enum Kind: Character { case float = "f", signed = "i", unsigned = "u", boolean = "b" }

        var kind: Kind
        var width: Int
        var isBigEndian: Bool

        /// Parses NumPy's name, such as `<f4`; nil for other types.
        init?(_ name: Substring) {
            guard let order = name.first, "<>=|".contains(order), let kind = name.dropFirst().first.flatMap(Kind.init),
                let width = Int(name.dropFirst(2)), (kind == .float ? [2, 4, 8] : [1, 2, 4, 8]).contains(width)
            else { return nil }
            (self.kind, self.width, isBigEndian) = (kind, width, order == ">")
        }

        func value(_ bits: UInt64) -> Float {
            switch (kind, width) {
            case (.float, 2): return Float(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
            case (.float, 4): return Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            case (.float, _): return Float(Double(bitPattern: bits))
            case (.signed, _):
                let unused = UInt64(64 - 8 * width)
                return Float(Int64(bitPattern: bits << unused) >> Int64(unused))
            case (.unsigned, _), (.boolean, _): return Float(bits)
            }
        }
    }

    let shape: [Int]
    private let bytes: [UInt8]
    private let start: Int
    private let element: Element
    /// The stride of each axis, in numbers.
    private let steps: [Int]
    private var scale: Float = 1

    /// Parses a file; throws `unreadableInput` when it is not a NumPy array of this kind.
    init(_ bytes: [UInt8], file: String) throws(KinemaError) {
        func broken(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file) }
        guard bytes.count >= 12, Self.isArray(bytes) else { throw broken("is not a NumPy array") }
        // The header's length is 2 bytes long in format 1 and 4 after.
        let sizeBytes = bytes[6] == 1 ? 2 : 4
        let headerSize = (0..<sizeBytes).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
        let start = 8 + sizeBytes + headerSize
        guard (1...3).contains(bytes[6]), start <= bytes.count else { throw broken("is damaged or cut short") }
        let header = String(decoding: bytes[(8 + sizeBytes)..<start], as: UTF8.self)
        guard let element = Self.text(in: header, after: "'descr': '", until: "'").flatMap(Element.init) else {
            throw broken("does not contain floating point or whole numbers; convert it to float32")
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
        let isFortran = header.contains("'fortran_order': True")
        var (steps, step) = ([Int](repeating: 1, count: shape.count), 1)
        for axis in isFortran ? Array(shape.indices) : shape.indices.reversed() {
            // An empty array may have axes of any length, whose product may overflow; its steps are never used.
            (steps[axis], step) = (step, step &* shape[axis])
        }
        self.steps = steps
        scale = fullScale(count)
    }

    static func isArray(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x93] + Array("NUMPY".utf8)) }

    /// The value that becomes 1: uint16's largest, or 1 for pixels, which do not exceed `largestSide`.
    private func fullScale(_ count: Int) -> Float {
        switch (element.kind, element.width) {
        case (.unsigned, 1): return Float(UInt8.max)
        case (.unsigned, 2):
            let isLarge = (0..<count).contains { number(at: $0) > Self.largestSide }
            return isLarge ? Float(UInt16.max) : 1
        default: return 1
        }
    }

    /// Twice the longest side of common pictures (8K), in pixels.
    private static let largestSide: Float = 16_384

    /// A range of the numbers in C order, read in place.
    func values(_ range: Range<Int>) -> [Float] {
        range.map { index in
            var (rest, offset) = (index, 0)
            for axis in shape.indices.reversed() {
                let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: shape[axis])
                (rest, offset) = (quotient, offset + remainder * steps[axis])
            }
            return number(at: offset) / scale
        }
    }

    private func number(at index: Int) -> Float {
        let offset = start + index * element.width
        let bits = (0..<element.width).reduce(UInt64(0)) { bits, byte in
            let place = element.isBigEndian ? element.width - 1 - byte : byte
            return bits | UInt64(bytes[offset + byte]) << UInt64(8 * place)
        }
        return element.value(bits)
    }

    private static func shape(_ header: String) -> [Int]? {
        guard let text = text(in: header, after: "'shape': (", until: ")") else { return nil }
        let numbers = text.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }.map {
            Int($0) ?? -1
        }
        return numbers.allSatisfy { $0 >= 0 } && !numbers.isEmpty && numbers.count <= largestRank ? numbers : nil
    }

    /// NumPy's own limit of axes before version 2.
    private static let largestRank = 32

    private static func text(in header: String, after start: String, until end: Character) -> Substring? {
        guard let open = header.firstRange(of: start), let close = header[open.upperBound...].firstIndex(of: end) else {
            return nil
        }
        return header[open.upperBound..<close]
    }
}

/// The array of poses in a NumPy archive (`.npz`), which is a zip file of arrays.
enum NumpyArchive {
    /// Whether a file begins as a zip file whose first part is an array.
    static func isArchive(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard bytes.starts(with: [0x50, 0x4B, 3, 4]), bytes.count > 30 else { return false }
        let head = Array(bytes.prefix(512))
        let name = head.dropFirst(30).prefix(Int(head[26]) | Int(head[27]) << 8)
        return name.suffix(4).elementsEqual(".npy".utf8)
    }

    /// The bytes of the one array whose shape `isWanted`.
    ///
    /// Throws `unreadableInput` when the archive is damaged, not exactly one fits, or one is beyond the limits.
    static func array(
        _ bytes: [UInt8], _ limits: PoseFileLimits, file: String, isWanted: ([Int]) -> Bool
    ) throws(KinemaError) -> [UInt8] {
        func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: file) }
        guard let zip = try? ZipReader(bytes, path: file, mostEntries: mostEntries) else {
            throw broken("is damaged or cut short")
        }
        var found: [(name: String, content: [UInt8])] = []
        var total = 0
        for entry in zip.entries where entry.name.hasSuffix(".npy") {
            total += entry.size
            guard total <= limits.bytes else { throw broken("unpacks to more than \(limits.bytes >> 20) MB; split it") }
            let content = try content(of: entry, in: zip, limits, file)
            guard let shape = try? NumpyArray(content, file: file).shape, isWanted(shape) else { continue }
            found.append((String(entry.name.dropLast(4)), content))
        }
        guard let one = found.first else {
            let names = zip.entries.prefix(8).map { PlainText.oneLine($0.name) }.joined(separator: ", ")
            throw broken("contains no array of joints: \(names); give frames x 33, 26, 25, 18 or 17 x 3 or 2")
        }
        guard found.count == 1 else {
            let names = found.prefix(8).map { PlainText.oneLine($0.name) }.joined(separator: ", ")
            throw broken("contains \(found.count) arrays of joints: \(names); save the one to read as .npy")
        }
        return one.content
    }

    static func content(
        of entry: ZipReader.Entry, in zip: ZipReader, _ limits: PoseFileLimits, _ file: String
    ) throws(KinemaError) -> [UInt8] {
        guard entry.size <= Gzip.expectedSize(of: entry.packed, ratio: limits.ratio, free: limits.ratioExemptBytes)
        else { throw Gzip.tooLarge(limits.ratio, file) }
        guard let content = try? zip.content(entry, atMost: limits.bytes) else { throw Gzip.damaged(file) }
        return content
    }

    static let mostEntries = 1000
}
