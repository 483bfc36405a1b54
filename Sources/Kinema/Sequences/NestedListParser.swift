/// Parses a JSON list of frames of joints of numbers, frame by frame.
///
/// A general decoder takes some forty times the file's size in memory, even for brackets alone.
struct NestedListParser {
    struct Invalid: Error {}

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0
    private var width: Int?
    /// Whether a value, and whether a comma, precedes this position in the list.
    private var (hasValue, hasComma) = (false, false)

    /// The maximum count of numbers in a frame: three for each joint of the largest order.
    private static let largest = 408

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws(Invalid) -> [Float]? {
        var (joint, row) = (0, [Float]())
        while index < bytes.endIndex {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: " "), 9, 10, 13: index += 1
            case UInt8(ascii: "["):
                guard depth < 3, hasValue == hasComma, depth > 0 || !hasValue else { throw Invalid() }
                (depth, index, hasValue, hasComma) = (depth + 1, index + 1, false, false)
            case UInt8(ascii: "]"):
                guard depth > 0, !hasComma else { throw Invalid() }
                if depth == 3 {
                    joint += 1
                    if width == nil { width = row.count }
                    guard let width, row.count == width * joint else { throw Invalid() }
                }
                (depth, index, hasValue, hasComma) = (depth - 1, index + 1, true, false)
                if depth == 1 { return row }
            case UInt8(ascii: ","):
                guard depth > 0, hasValue, !hasComma else { throw Invalid() }
                (index, hasComma) = (index + 1, true)
            default:
                guard depth == 3, hasValue == hasComma, row.count < Self.largest, let (value, end) = number() else {
                    throw Invalid()
                }
                row.append(value)
                (index, hasValue, hasComma) = (end, true, false)
            }
        }
        guard depth == 0, hasValue else { throw Invalid() }
        return nil
    }

    /// The number at this position and its end; NaN is accepted as Python writes it.
    private func number() -> (value: Float, end: Int)? {
        for word in ["NaN", "null"] where bytes[index...].starts(with: word.utf8) {
            return (.nan, index + word.utf8.count)
        }
        let end = bytes[index...].prefix(64).firstIndex { !Self.isNumeral($0) } ?? index
        guard end > index, let value = Float(String(decoding: bytes[index..<end], as: UTF8.self)) else { return nil }
        return (value, end)
    }

    private static func isNumeral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
