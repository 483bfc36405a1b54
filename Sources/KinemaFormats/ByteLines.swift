import KinemaMotion
import Foundation
import KinemaCore

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

extension ByteLines: Sendable where Bytes: Sendable, Bytes.SubSequence: Sendable {}

/// The separator of a table's cells and the format of its numbers.
struct TableFormat: Sendable {
    let separator: Character

    private static let padding = CharacterSet(charactersIn: " \"\u{FEFF}")
    private static let absences: Set<String> = ["", "nan", "none", "null", "na", "-nan"]

    /// The format of a table with this first line; semicolons and tabs also separate decimal commas.
    init(_ head: some Collection<UInt8>) {
        func count(_ sign: Character) -> Int { head.count { $0 == sign.asciiValue } }
        let commas = count(",")
        let other: Character = count(";") >= count("\t") ? ";" : "\t"
        let text = String(decoding: head, as: UTF8.self)
        if count(other) > commas || (count(other) > 0 && Self.areNumbers(text.split(separator: other))) {
            separator = other
        } else if commas > 0 || count(" ") == 0 {
            separator = ","
        } else {
            separator = Self.areNumbers(text.split(separator: " ")) ? " " : ","
        }
    }

    private static func areNumbers(_ cells: [Substring]) -> Bool {
        cells.allSatisfy { cell in
            let cell = cell.trimmingCharacters(in: padding)
            return absences.contains(cell.lowercased()) || Double(cell.replacing(",", with: ".")) != nil
        }
    }

    /// The cells of a line, without the quotes and spaces around them.
    func cells(_ line: some Collection<UInt8>) -> [String] {
        String(decoding: line, as: UTF8.self).split(
            separator: separator, omittingEmptySubsequences: separator == " "
        ).map { $0.trimmingCharacters(in: Self.padding) }
    }

    static func isAbsent(_ cell: String) -> Bool { absences.contains(cell.lowercased()) }

    /// The number in a cell, NaN in an empty one, nil for anything else; commas may be decimal.
    func number(_ cell: String) -> Double? {
        if Self.isAbsent(cell) { return .nan }
        if let value = Double(cell) { return value }
        return separator == "," ? nil : Double(cell.replacing(",", with: "."))
    }
}

/// The columns of a table with a row for each joint: `frame`, `landmark`, `x`, `y`, perhaps others.
struct LongColumns {
    private(set) var joint = 0
    private(set) var (x, y) = (0, 0)
    private(set) var confidence: Int?
    /// The columns with the frame, time and person of a row.
    let others: PoseColumns.Others

    private static let joints: Set<String> = [
        "landmark", "joint", "keypoint", "landmarkname", "jointname", "keypointname", "landmarkid", "jointid",
        "keypointid", "landmarkindex", "jointindex", "keypointindex", "bodypart", "part", "name", "landmarkidx",
        "jointidx", "keypointidx", "lm", "kp", "marker", "point", "type", "label", "landmarktype",
    ]
    private static let places: [String: PoseColumns.Role] = [
        "xpx": .x, "ypx": .y, "xpixel": .x, "ypixel": .y, "posx": .x, "posy": .y, "xcoord": .x, "ycoord": .y,
        "positionx": .x, "positiony": .y, "coordx": .x, "coordy": .y, "xnorm": .x, "ynorm": .y,
    ]

    /// The columns of these names; nil unless they are those of such a table.
    init?(_ names: [String]) {
        let small = names.map { $0.lowercased().filter(\.isLetter) }
        let roles = small.map { PoseColumns.roles[$0] ?? Self.places[$0] }
        // Of several candidates, the first in the list above: `label` may hold the exercise.
        let candidates = small.indices.filter { Self.joints.contains(small[$0]) }
        let best = candidates.first { small[$0] != "label" && small[$0] != "type" && small[$0] != "name" }
        guard let joint = best ?? candidates.first, let x = roles.firstIndex(of: .x), let y = roles.firstIndex(of: .y)
        else { return nil }
        (self.joint, self.x, self.y, confidence) = (joint, x, y, roles.firstIndex(of: .confidence))
        var others = PoseColumns.Others()
        for column in names.indices where ![joint, x, y, confidence].contains(column) {
            others.set(names[column], column)
        }
        self.others = others
    }

    /// Whether a column of this name says which joint or where it is.
    static func isColumn(_ name: String) -> Bool {
        let small = name.lowercased().filter(\.isLetter)
        return joints.contains(small) || PoseColumns.roles[small] != nil || places[small] != nil
    }

    static func joint(_ cell: String) -> PoseColumns.Joint? {
        if let number = Int(cell) { return .numbered(number) }
        // As Python writes a member of an enumeration: PoseLandmark.LEFT_HIP.
        let bare = PoseColumns.words(cell).filter { !PoseColumns.fillers.contains($0) }
        if bare.count == 1, let number = Int(bare[0]) { return .numbered(number) }
        return JointNames.joint(bare.joined()).map { .named($0) }
    }
}

/// The layout of a frame's numbers: the order of joints, and the numbers per joint.
struct NumberRow {
    let order: JointOrder
    /// The count of numbers per joint: x, y; with confidence; or MediaPipe's x, y, z, visibility and perhaps presence.
    private let each: Int
    private(set) var frameAxis = 0

    var width: Int { order.count * each }

    /// The layout of `count` numbers a frame; nil if no order has that many.
    init?(_ count: Int, of subject: ActionSubject) {
        for each in [3, 2, 4, 5] where count % each == 0 {
            guard let order = JointOrder(joints: count / each, of: subject) else { continue }
            guard each < 4 || order == .blazePose33 else { continue }
            (self.order, self.each) = (order, each)
            return
        }
        return nil
    }

    /// The layout of an array of this shape: frames x joints x numbers, or frames x numbers, without axes of size 1.
    init?(_ shape: [Int], of subject: ActionSubject) {
        guard shape.count > 1, let last = shape.last else { return nil }
        let joints = shape[shape.count - 2]
        if shape.count > 2, (2...5).contains(last), JointOrder(joints: joints, of: subject) != nil {
            self.init(joints * last, of: subject)
        } else {
            self.init(last, of: subject)
        }
        // Shapes such as 12 x 25 x 3, where 25 x 3 is a frame and 12 is the number of frames.
        let rest = shape.dropLast(order.count * each == last ? 1 : 2)
        guard rest.count(where: { $0 != 1 }) <= 1 else { return nil }
        frameAxis = rest.firstIndex { $0 != 1 } ?? 0
    }

    static func known(of subject: ActionSubject) -> String {
        subject == .hand ? "21 x 3 or 2" : "33, 26, 25, 18 or 17 x 3 or 2, or 33 x 4 of MediaPipe,"
    }

    /// The joints of a frame's numbers, each with a confidence or another third number.
    func row(_ values: [Float]) -> FileJoints {
        // A frame of zeros contains nobody.
        let confidence: Float = values.allSatisfy { $0 == 0 || $0.isNaN } ? 0 : 1
        let points = stride(from: 0, to: values.count, by: each).map {
            SIMD3(values[$0], values[$0 + 1], each == 2 ? confidence : values[$0 + (each == 3 ? 2 : 3)])
        }
        return FileJoints(order: order, points: points, hasThird: each == 3)
    }
}
