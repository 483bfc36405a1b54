import Foundation
import KinemaCore
import KinemaMotion

/// Parses a file of bare numbers frame by frame, so that it is in memory only once; a copy begins at its position.
struct PoseNumberParser {
    private enum Content {
        case table(ByteLines<[UInt8]>)
        case array(NumpyArray)
        case list(NestedListParser)
    }

    private var content: Content
    private let subject: ActionSubject
    private let limits: PoseFileLimits
    let file: String
    private var count = 0
    /// The count of numbers in a line of a table, and its format.
    private var width = 0
    private var format: TableFormat?
    /// Whether its first line has nothing above the numbers of the rows.
    private var hasRowNumbers = false

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
    }

    var frameCount: Int? {
        guard case .array(let array) = content, let numbers = NumberRow(array.shape, of: subject) else { return nil }
        return array.shape[numbers.frameAxis]
    }

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
        for point in row.points {
            for index in 0..<3 where abs(point[index]) > PoseSequence.maximumCoordinate {
                throw broken("\(place) has the number \(point[index]), which is not a position")
            }
        }
        count += 1
        return row
    }

    /// The next row of numbers; a header of names or column numbers and comments are skipped.
    private mutating func nextLine(
        of lines: inout ByteLines<[UInt8]>
    ) throws(KinemaError) -> (row: JointRow?, place: String) {
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
            // The program pandas begins rows with their number.
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

    private func nextRow(of array: NumpyArray) -> JointRow? {
        guard let numbers = NumberRow(array.shape, of: subject), count < array.shape[numbers.frameAxis] else {
            return nil
        }
        let width = numbers.width
        return numbers.row(array.values(count * width..<(count + 1) * width))
    }

    private func nextFrame(of list: inout NestedListParser) throws(KinemaError) -> JointRow? {
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
