import Foundation
import KinemaCore
import KinemaMotion

/// Parses files of bare numbers frame by frame into a sequence, so that a large file is in memory only once.
struct PoseNumberParser {
    private(set) var sequence: PoseSequence
    private let rate: Double
    private let limits: PoseFileLimits
    private let file: String

    init(_ subject: ActionSubject, rate: Double, limits: PoseFileLimits, file: String) {
        sequence = PoseSequence(subject)
        (self.rate, self.limits, self.file) = (rate, limits, file)
    }

    private func order(joints: Int) -> JointOrder? { JointOrder(joints: joints, of: sequence.subject) }
    /// The supported numbers of joints, for messages.
    private var known: String { sequence.subject == .hand ? "21" : "25, 18 or 17" }

    private func broken(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file) }

    /// Adds frame or line `number` of the file.
    private mutating func append(
        _ row: ArraySlice<Float>, _ joints: JointOrder, _ kind: StaticString, _ number: Int
    ) throws(KinemaError) {
        guard sequence.count < limits.frames else { throw broken("has more than \(limits.frames) frames; split it") }
        // Tables and arrays write NaN for joints that were not seen.
        if let invalid = row.first(where: { abs($0) > PoseSequence.maximumCoordinate }) {
            throw broken("\(kind) \(number) has the number \(invalid), which is not a position")
        }
        sequence.append(joints.frame(row), at: Double(sequence.count) / rate)
    }

    /// Parses comma-separated numbers, one row per frame; a first line of names is skipped.
    mutating func parseCSV(_ bytes: [UInt8]) throws(KinemaError) {
        var width = 0
        for (number, line) in ByteLines(bytes) {
            guard line.count <= limits.lineBytes else { throw broken("line \(number) is too long") }
            let cells = String(decoding: line, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
            let row = cells.compactMap { Float($0.trimmingPrefix(while: { $0 == " " })) }
            if number == 1, row.isEmpty { continue }
            guard row.count == cells.count, row.count % 3 == 0, let joints = order(joints: row.count / 3),
                width == 0 || width == row.count
            else {
                throw broken("line \(number) does not hold x, y, confidence of \(known) joints, as many as the others")
            }
            width = row.count
            try append(row[...], joints, "line", number)
        }
    }

    /// Parses a NumPy array of frames x joints x 3.
    mutating func parseNumPy(_ bytes: [UInt8]) throws(KinemaError) {
        let array = try NumpyArray(bytes, file: file)
        guard array.shape.count == 3, array.shape[2] == 3, let joints = order(joints: array.shape[1]) else {
            throw broken("has the shape \(array.shape); frames x \(known) x 3 can be read")
        }
        let width = joints.count * 3
        for frame in 0..<array.shape[0] {
            try append(array.values(frame * width..<(frame + 1) * width)[...], joints, "frame", frame)
        }
    }

    /// Parses a JSON list of frames, each a list of joints, each a list of x, y and confidence.
    ///
    /// It works byte by byte, because a general decoder takes some forty times the file's size in memory, even for
    /// brackets alone.
    mutating func parseJSON(_ bytes: [UInt8]) throws(KinemaError) {
        let invalid = broken("is not a list of frames of joints of x, y, confidence, or is cut short")
        var (depth, joint, row) = (0, 0, [Float]())
        // Whether a value, and whether a comma, precedes this position in the list.
        var (hasValue, hasComma) = (false, false)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: " "), 9, 10, 13: index += 1
            case UInt8(ascii: "["):
                guard depth < 3, hasValue == hasComma, depth > 0 || !hasValue else { throw invalid }
                (depth, index, hasValue, hasComma) = (depth + 1, index + 1, false, false)
            case UInt8(ascii: "]"):
                guard depth > 0, !hasComma else { throw invalid }
                if depth == 3 {
                    joint += 1
                    guard row.count == 3 * joint else { throw invalid }
                } else if depth == 2 {
                    guard let joints = order(joints: joint) else {
                        throw broken("frame \(sequence.count) does not hold x, y, confidence of \(known) joints")
                    }
                    try append(row[...], joints, "frame", sequence.count)
                    (row, joint) = ([], 0)
                }
                (depth, index, hasValue, hasComma) = (depth - 1, index + 1, true, false)
            case UInt8(ascii: ","):
                guard depth > 0, hasValue, !hasComma else { throw invalid }
                (index, hasComma) = (index + 1, true)
            default:
                let end = bytes[index...].prefix(64).firstIndex { !Self.isNumeral($0) } ?? index
                // At most three numbers per joint, and the joints of the largest table per frame.
                guard depth == 3, hasValue == hasComma, row.count < 75, end > index,
                    let value = Float(String(decoding: bytes[index..<end], as: UTF8.self))
                else { throw invalid }
                row.append(value)
                (index, hasValue, hasComma) = (end, true, false)
            }
        }
        guard depth == 0, hasValue else { throw invalid }
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

/// The lines of a file with their numbers from 1, without line ends and without empty lines.
struct ByteLines<Bytes: Collection<UInt8>>: Sequence, IteratorProtocol {
    private var remaining: Bytes.SubSequence
    private var number = 0

    init(_ bytes: Bytes) { remaining = bytes[...] }

    mutating func next() -> (number: Int, text: Bytes.SubSequence)? {
        while !remaining.isEmpty {
            number += 1
            let end = remaining.firstIndex { $0 == 10 || $0 == 13 } ?? remaining.endIndex
            let line = remaining[remaining.startIndex..<end]
            remaining = remaining[end...]
            // A carriage return and a line feed are one line end.
            if remaining.popFirst() == 13, remaining.first == 10 { remaining = remaining.dropFirst() }
            if !line.isEmpty { return (number, line) }
        }
        return nil
    }
}

/// The joint order of a file of bare numbers, and its conversion to a body's 18 joints or a hand's 21.
enum JointOrder {
    /// OpenPose's BODY_25.
    case body25
    /// OpenPose's COCO model with 18 joints.
    case openPose18
    /// COCO's own 17 joints, which lack the neck.
    case coco17
    /// A hand's 21 joints: the wrist, then each finger from the palm to its tip, thumb first.
    case hand21

    /// The order of a subject with this many joints.
    init?(joints: Int, of subject: ActionSubject) {
        switch (subject, joints) {
        case (.body, 25): self = .body25
        case (.body, 18): self = .openPose18
        case (.body, 17): self = .coco17
        case (.hand, 21): self = .hand21
        default: return nil
        }
    }

    /// The number of joints in a row.
    var count: Int {
        switch self {
        case .body25: 25
        case .openPose18: 18
        case .coco17: 17
        case .hand21: 21
        }
    }

    /// The index in this order of each of the subject's joints; -1 for the neck, which COCO lacks.
    private var indices: [Int] {
        switch self {
        case .body25: [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]
        case .openPose18: Array(0..<18)
        case .coco17: [0, -1, 6, 8, 10, 5, 7, 9, 12, 14, 16, 11, 13, 15, 2, 1, 4, 3]
        case .hand21: Array(0..<21)
        }
    }

    /// Converts a frame of x, y (downwards, as in pictures) and confidence to the subject's joints with y upwards.
    /// COCO's neck is the midpoint of its shoulders.
    func frame(_ row: ArraySlice<Float>) -> [Float] {
        func joint(_ index: Int) -> [Float] {
            let start = row.startIndex + index * 3
            return [row[start], -row[start + 1], row[start + 2]]
        }
        return indices.flatMap { index -> [Float] in
            guard index < 0 else { return joint(index) }
            let (left, right) = (joint(5), joint(6))
            return [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2, min(left[2], right[2])]
        }
    }
}
