import Foundation
import KinemaCore
import KinemaMotion

/// Rows of bare numbers becoming a sequence, one by one, so that a large file is in memory once.
struct PoseRows {
    private(set) var sequence = PoseSequence(.body)
    private let rate: Double
    private let limits: PoseFileLimits
    private let file: String

    init(rate: Double, limits: PoseFileLimits, file: String) {
        (self.rate, self.limits, self.file) = (rate, limits, file)
    }

    private func broken(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file) }

    /// Adds a frame, the file's `number`th line or frame.
    private mutating func append(
        _ row: ArraySlice<Float>, _ joints: JointTable, _ kind: StaticString, _ number: Int
    ) throws(KinemaError) {
        guard sequence.count < limits.frames else { throw broken("has more than \(limits.frames) frames; divide it") }
        // What is not a number is how tables and arrays say "not seen".
        if let wrong = row.first(where: { abs($0) > PoseSequence.furthestPlace }) {
            throw broken("\(kind) \(number) has the number \(wrong), which is no place")
        }
        sequence.append(joints.bodyFrame(row), at: Double(sequence.count) / rate)
    }

    /// Comma-separated numbers, a row a frame; a first line of names is a header.
    mutating func table(_ bytes: [UInt8]) throws(KinemaError) {
        var width = 0
        for (number, line) in ByteLines(bytes) {
            guard line.count <= limits.lineBytes else { throw broken("line \(number) is too long") }
            let cells = String(decoding: line, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
            let row = cells.compactMap { Float($0.trimmingPrefix(while: { $0 == " " })) }
            if number == 1, row.isEmpty { continue }
            guard row.count == cells.count, row.count % 3 == 0, let joints = JointTable(joints: row.count / 3),
                width == 0 || width == row.count
            else {
                throw broken("line \(number) is not x, y, confidence of 25, 18 or 17 joints, as many as the others")
            }
            width = row.count
            try append(row[...], joints, "line", number)
        }
    }

    /// NumPy's array of frames x joints x 3.
    mutating func array(_ bytes: [UInt8]) throws(KinemaError) {
        let array = try NumpyArray(bytes, file: file)
        guard array.shape.count == 3, array.shape[2] == 3, let joints = JointTable(joints: array.shape[1]) else {
            throw broken("has the shape \(array.shape); frames x 25, 18 or 17 x 3 are known")
        }
        let width = joints.count * 3
        for frame in 0..<array.shape[0] {
            try append(array.values(frame * width..<(frame + 1) * width)[...], joints, "frame", frame)
        }
    }

    /// A JSON list of frames, each a list of joints, each a list of x, y and confidence.
    ///
    /// Read byte by byte: a general decoder makes some forty times the file's size of what may be brackets alone.
    mutating func nested(_ bytes: [UInt8]) throws(KinemaError) {
        let unclear = broken("is no list of frames of joints of x, y, confidence; or it is cut short")
        var (depth, joint, row) = (0, 0, [Float]())
        // Whether a value, and whether a comma, stands before this place in the list.
        var (hasValue, hasComma) = (false, false)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: " "), 9, 10, 13: index += 1
            case UInt8(ascii: "["):
                guard depth < 3, hasValue == hasComma, depth > 0 || !hasValue else { throw unclear }
                (depth, index, hasValue, hasComma) = (depth + 1, index + 1, false, false)
            case UInt8(ascii: "]"):
                guard depth > 0, !hasComma else { throw unclear }
                if depth == 3 {
                    joint += 1
                    guard row.count == 3 * joint else { throw unclear }
                } else if depth == 2 {
                    guard let joints = JointTable(joints: joint) else {
                        throw broken("frame \(sequence.count) is not x, y, confidence of 25, 18 or 17 joints")
                    }
                    try append(row[...], joints, "frame", sequence.count)
                    (row, joint) = ([], 0)
                }
                (depth, index, hasValue, hasComma) = (depth - 1, index + 1, true, false)
            case UInt8(ascii: ","):
                guard depth > 0, hasValue, !hasComma else { throw unclear }
                (index, hasComma) = (index + 1, true)
            default:
                let end = bytes[index...].prefix(64).firstIndex { !Self.isNumeral($0) } ?? index
                // No more than three numbers a joint and the largest table's joints a frame.
                guard depth == 3, hasValue == hasComma, row.count < 75, end > index,
                    let value = Float(String(decoding: bytes[index..<end], as: UTF8.self))
                else { throw unclear }
                row.append(value)
                (index, hasValue, hasComma) = (end, true, false)
            }
        }
        guard depth == 0, hasValue else { throw unclear }
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

/// The lines of bytes with their numbers from 1, without their ends and without empty ones.
struct ByteLines<Bytes: Collection<UInt8>>: Sequence, IteratorProtocol {
    private var rest: Bytes.SubSequence
    private var number = 0

    init(_ bytes: Bytes) { rest = bytes[...] }

    mutating func next() -> (number: Int, text: Bytes.SubSequence)? {
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex { $0 == 10 || $0 == 13 } ?? rest.endIndex
            let line = rest[rest.startIndex..<end]
            rest = rest[end...]
            // A carriage return and a line feed end one line.
            if rest.popFirst() == 13, rest.first == 10 { rest = rest.dropFirst() }
            if !line.isEmpty { return (number, line) }
        }
        return nil
    }
}
