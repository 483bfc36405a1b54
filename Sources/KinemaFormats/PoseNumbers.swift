import KinemaMotion
import Foundation
import KinemaCore

/// A file of bare numbers, interpreted by a first pass and parsed frame by frame, so that it is in memory only once; a
/// copy begins at its position.
struct PoseNumbers {
    private enum Content {
        case table(ByteLines<[UInt8]>)
        case array(NumpyArray)
        case list(NestedListParser)
    }

    private var content: Content
    private let subject: ActionSubject
    private let limits: PoseFileLimits
    private let file: String
    private var count = 0
    /// The count of numbers in a line of a table, and its format.
    private var width = 0
    private var format: TableFormat?
    /// Whether its first line has nothing above the numbers of the rows.
    private var hasRowNumbers = false
    private var survey = PoseSurvey([], hasThird: false)
    private var turn = StandingAxis.Turn.none

    /// Passes through the file; throws `unreadableInput` when it is damaged or its joints do not fit their order.
    init(
        _ bytes: [UInt8], kind: PoseFileKind, of subject: ActionSubject, limits: PoseFileLimits, file: String
    ) throws(KinemaError) {
        (self.subject, self.limits, self.file) = (subject, limits, file)
        switch kind {
        case .table: content = .table(ByteLines(bytes))
        case .array:
            let array = try NumpyArray(bytes, file: file)
            content = .array(array)
            guard NumberRow(array.shape, of: subject) != nil else {
                throw broken("has the shape \(array.shape); frames x \(NumberRow.known(of: subject)) can be read")
            }
        default: content = .list(NestedListParser(bytes))
        }
        survey = try surveyed()
        turn = isMoveNets ? .transposed : survey.turn
        if turn != .none {
            // The turned positions have other units and directions.
            let third = survey.third
            survey = try surveyed()
            survey.knownThird = third
        }
        if let misfit = survey.misfit { throw broken(misfit) }
    }

    private func surveyed() throws(KinemaError) -> PoseSurvey {
        var (pass, found) = (self, PoseSurvey?.none)
        while let row = try pass.parsed() {
            if found == nil { found = PoseSurvey(row.order.keys, order: row.order, hasThird: row.hasThird) }
            found?.add(row.points)
        }
        return found ?? survey
    }

    /// Whether an array has the shape of MoveNet's output, frames x 1 x 1 x 17 x 3, which has y first.
    private var isMoveNets: Bool {
        guard case .array(let array) = content else { return false }
        return array.shape.suffix(4) == [1, 1, 17, 3]
    }

    var frameCount: Int? {
        guard case .array(let array) = content, let numbers = NumberRow(array.shape, of: subject) else { return nil }
        return array.shape[numbers.frameAxis]
    }

    var note: String { [survey.note, turn.note ?? survey.doubt].compactMap(\.self).joined(separator: "; ") }

    var areShares: Bool { survey.unit == .shares }

    /// The shape of the pictures, `aspect` if given, and its size in the unit of the positions.
    func picture(_ aspect: AspectRatio?) -> (shape: AspectRatio, width: Float, height: Float) {
        let shape = survey.shape(aspect)
        let size = survey.size(shape)
        return (shape, size.width, size.height)
    }

    private func broken(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file) }

    /// The next frame with positions from the upper left corner, y down, and confidences as third numbers; nil after
    /// the last. Throws `unreadableInput` when the file is damaged there.
    mutating func next() throws(KinemaError) -> FileJoints? {
        guard var row = try parsed() else { return nil }
        // A frame of zeros contains nobody, also in body-centred coordinates.
        let isNobody = row.points.allSatisfy { point in (0..<3).allSatisfy { point[$0] == 0 || point[$0].isNaN } }
        let (third, changesPlaces) = (survey.third, survey.isUpwards || survey.unit == .length)
        for index in row.points.indices {
            if third == .depth { row.points[index].z = isNobody ? 0 : 1 }
            // Ultralytics moves uncertain joints to 0, 0.
            if third == .confidence, row.points[index].x == 0, row.points[index].y == 0 { row.points[index].z = 0 }
            if changesPlaces { row.points[index] = survey.place(row.points[index]) }
        }
        return row
    }

    /// The next frame as it is in the file.
    private mutating func parsed() throws(KinemaError) -> FileJoints? {
        let row: FileJoints?
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
        guard var row else { return nil }
        guard count < limits.frames else { throw broken("has more than \(limits.frames) frames; split it") }
        // Tables and arrays write NaN for joints that were not seen.
        for point in row.points {
            for index in 0..<3 where abs(point[index]) > PoseSequence.maximumCoordinate {
                throw broken("\(place) has the number \(point[index]), which is not a position")
            }
        }
        count += 1
        if turn != .none { row.points = row.points.map(turn.applied(to:)) }
        return row
    }

    /// The next row of numbers; a header of names or column numbers and comments are skipped.
    private mutating func nextLine(
        of lines: inout ByteLines<[UInt8]>
    ) throws(KinemaError) -> (row: FileJoints?, place: String) {
        while let (number, line) = lines.next() {
            guard line.count <= limits.lineBytes else { throw broken("line \(number) is too long") }
            if line.first == UInt8(ascii: "#") { continue }
            let isFirst = format == nil
            let format = format ?? TableFormat(line)
            self.format = format
            let cells = format.cells(line)
            let values = cells.map(format.number)
            var row = values.compactMap(\.self).map { Float($0) }
            if isFirst, row.isEmpty || Self.areColumns(row) {
                hasRowNumbers = row.first?.isNaN == true
                continue
            }
            // The pandas library begins rows with their number.
            if hasRowNumbers || NumberRow(row.count, of: subject) == nil, let first = row.first,
                first == first.rounded()
            {
                row.removeFirst()
            }
            guard !values.contains(nil), let numbers = NumberRow(row.count, of: subject),
                width == 0 || width == row.count
            else {
                throw broken(
                    "line \(number) does not contain x, y, confidence of \(JointOrder.known(of: subject)) joints, as many "
                        + "as the others")
            }
            width = row.count
            return (numbers.row(row), "line \(number)")
        }
        return (nil, "")
    }

    /// Whether a first line counts the columns from 0 or 1, perhaps after an empty cell.
    private static func areColumns(_ row: [Float]) -> Bool {
        let numbers = row.first?.isNaN == true ? row.dropFirst() : row[...]
        guard numbers.count > 3, let first = numbers.first, first == 0 || first == 1 else { return false }
        return zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }
    }

    private func nextRow(of array: NumpyArray) -> FileJoints? {
        guard let numbers = NumberRow(array.shape, of: subject), count < array.shape[numbers.frameAxis] else {
            return nil
        }
        let width = numbers.width
        return numbers.row(array.values(count * width..<(count + 1) * width))
    }

    private func nextFrame(of list: inout NestedListParser) throws(KinemaError) -> FileJoints? {
        let row: [Float]?
        do {
            row = try list.next()
        } catch {
            throw broken("is not a list of frames of joints of x, y, confidence, or is cut short")
        }
        guard let row else { return nil }
        guard let numbers = NumberRow(row.count, of: subject) else {
            throw broken("frame \(count) does not contain x, y, confidence of \(JointOrder.known(of: subject)) joints")
        }
        return numbers.row(row)
    }
}

/// Parses a nested JSON list (frames, joints, numbers) frame by frame.
///
/// A general decoder takes some forty times the file's size in memory, even for brackets alone.
struct NestedListParser {
    struct Invalid: Error {}

    private let bytes: [UInt8]
    private var index = 0, depth = 0
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
        let end = bytes[index...].prefix(64).firstIndex { !Self.numerals.contains($0) } ?? index
        guard end > index, let value = Float(String(decoding: bytes[index..<end], as: UTF8.self)) else { return nil }
        return (value, end)
    }

    private static let numerals = Array("0123456789.-+eE".utf8)
}
