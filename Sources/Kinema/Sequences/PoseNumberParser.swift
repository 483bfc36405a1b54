import Foundation
import KinemaCore
import KinemaMotion

/// Parses a file of bare numbers frame by frame, so that it is in memory only once.
///
/// A copy begins where the original is, so a file can be passed through twice.
struct PoseNumberParser {
    private enum Content {
        case table(ByteLines<[UInt8]>)
        case array(NumpyArray)
        case list(NestedListParser)
    }

    private var content: Content
    /// Whether the numbers are shares of their full scale.
    let areShares: Bool
    private let subject: ActionSubject
    private let limits: PoseFileLimits
    private let file: String
    /// The number of frames so far.
    private var count = 0
    /// The numbers in a line of a table.
    private var width = 0

    /// Starts a table (`csv`), a NumPy array (`npy`) or a JSON list.
    init(
        _ bytes: [UInt8], kind: String, of subject: ActionSubject, limits: PoseFileLimits, file: String
    ) throws(KinemaError) {
        (self.subject, self.limits, self.file) = (subject, limits, file)
        switch kind {
        case "csv": (content, areShares) = (.table(ByteLines(bytes)), false)
        case "npy":
            let array = try NumpyArray(bytes, file: file)
            (content, areShares) = (.array(array), array.areShares)
            let shape = array.shape
            let order = shape.count == 3 ? JointOrder(joints: shape[1], of: subject) : nil
            guard let order, shape[2] == 3 || (shape[2] == 2 && order == .blazePose33) else {
                let flat = subject == .body ? ", or frames x 33 x 2," : ""
                let known = JointOrder.known(of: subject)
                throw broken("has the shape \(shape); frames x \(known) x 3\(flat) can be read")
            }
        default: (content, areShares) = (.list(NestedListParser(bytes)), false)
        }
    }

    /// The number of frames, if known before reading.
    var frameCount: Int? { if case .array(let array) = content { array.shape[0] } else { nil } }

    private func broken(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file) }

    /// The next frame; nil after the last. Throws `unreadableInput` when the file is damaged there.
    mutating func next() throws(KinemaError) -> JointRow? {
        let row: JointRow?
        let place: String
        switch content {
        case .table(var lines):
            (row, place) = try nextLine(of: &lines)
            content = .table(lines)
        case .array(let array): (row, place) = (nextRow(of: array), "frame \(count)")
        case .list(var list):
            (row, place) = (try nextFrame(of: &list), "frame \(count)")
            content = .list(list)
        }
        guard let row else { return nil }
        guard count < limits.frames else { throw broken("has more than \(limits.frames) frames; split it") }
        // Tables and arrays write NaN for joints that were not seen.
        if let invalid = row.values.first(where: { abs($0) > PoseSequence.maximumCoordinate }) {
            throw broken("\(place) has the number \(invalid), which is not a position")
        }
        count += 1
        return row
    }

    /// The next row of comma-separated numbers; a first line of names is skipped.
    private mutating func nextLine(
        of lines: inout ByteLines<[UInt8]>
    ) throws(KinemaError) -> (row: JointRow?, place: String) {
        while let (number, line) = lines.next() {
            guard line.count <= limits.lineBytes else { throw broken("line \(number) is too long") }
            let cells = String(decoding: line, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
            let row = cells.compactMap { Float($0.trimmingPrefix(while: { $0 == " " })) }
            if number == 1, row.isEmpty { continue }
            guard row.count == cells.count, row.count % 3 == 0,
                let order = JointOrder(joints: row.count / 3, of: subject), width == 0 || width == row.count
            else {
                throw broken(
                    "line \(number) does not hold x, y, confidence of \(JointOrder.known(of: subject)) joints, as many "
                        + "as the others")
            }
            width = row.count
            return (JointRow(order: order, values: row), "line \(number)")
        }
        return (nil, "")
    }

    /// The next row of a NumPy array of frames x joints x 3, or x 2 for joints that were all seen.
    private func nextRow(of array: NumpyArray) -> JointRow? {
        guard count < array.shape[0], let order = JointOrder(joints: array.shape[1], of: subject) else { return nil }
        let width = array.shape[1] * array.shape[2]
        let values = array.values(count * width..<(count + 1) * width)
        guard array.shape[2] == 2 else { return JointRow(order: order, values: values) }
        // A frame of zeros is nobody, whom a confidence of 0 says too.
        let confidence: Float = values.allSatisfy { $0 == 0 || $0.isNaN } ? 0 : 1
        let joints = stride(from: 0, to: width, by: 2).map { [values[$0], values[$0 + 1], confidence] }
        return JointRow(order: order, values: joints.flatMap(\.self))
    }

    private func nextFrame(of list: inout NestedListParser) throws(KinemaError) -> JointRow? {
        let row: [Float]?
        do {
            row = try list.next()
        } catch {
            throw broken("is not a list of frames of joints of x, y, confidence, or is cut short")
        }
        guard let row else { return nil }
        guard let order = JointOrder(joints: row.count / 3, of: subject) else {
            throw broken("frame \(count) does not hold x, y, confidence of \(JointOrder.known(of: subject)) joints")
        }
        return JointRow(order: order, values: row)
    }
}

/// Parses a JSON list of frames, each a list of joints, each a list of x, y and confidence, frame by frame.
///
/// It works byte by byte, because a general decoder takes some forty times the file's size in memory, even for brackets
/// alone.
struct NestedListParser {
    /// The text is no such list.
    struct Invalid: Error {}

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0
    /// Whether a value, and whether a comma, precedes this position in the list.
    private var (hasValue, hasComma) = (false, false)

    /// The numbers of a frame at most: three for each joint of the largest order.
    private static let largest = 99

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The numbers of the next frame; nil after the last.
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
                    guard row.count == 3 * joint else { throw Invalid() }
                }
                (depth, index, hasValue, hasComma) = (depth - 1, index + 1, true, false)
                if depth == 1 { return row }
            case UInt8(ascii: ","):
                guard depth > 0, hasValue, !hasComma else { throw Invalid() }
                (index, hasComma) = (index + 1, true)
            default:
                let end = bytes[index...].prefix(64).firstIndex { !Self.isNumeral($0) } ?? index
                guard depth == 3, hasValue == hasComma, row.count < Self.largest, end > index,
                    let value = Float(String(decoding: bytes[index..<end], as: UTF8.self))
                else { throw Invalid() }
                row.append(value)
                (index, hasValue, hasComma) = (end, true, false)
            }
        }
        guard depth == 0, hasValue else { throw Invalid() }
        return nil
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
