import Foundation
import KinemaCore

/// The lines of a table after the line of names.
struct PoseRows {
    private var lines: ByteLines<[UInt8]>
    let names: [String]
    private let format: TableFormat
    private let limits: PoseFileLimits
    let file: String
    /// The column that names the recording, if any; every row must have the same one.
    var recordingColumn: Int?
    private var recording: String?

    /// Starts a table; nil if it is empty or its first line is too long.
    init?(_ bytes: [UInt8], _ limits: PoseFileLimits, file: String) {
        lines = ByteLines(bytes)
        guard let (_, head) = lines.next(), head.count <= limits.lineBytes else { return nil }
        (format, self.limits, self.file) = (TableFormat(head), limits, file)
        names = format.cells(head)
    }

    /// The next row; throws `unreadableInput` for a row that is too long, of another length or of another recording.
    mutating func next() throws(KinemaError) -> PoseCells? {
        guard let (number, line) = lines.next() else { return nil }
        guard line.count <= limits.lineBytes else {
            throw KinemaError(.unreadableInput, "line \(number) is too long", file: file)
        }
        let row = try PoseCells(number, line, names, format, file: file)
        if let recordingColumn {
            guard recording == nil || recording == row.cells[recordingColumn] else {
                throw row.broken("belongs to another recording than the lines before it; put each into its own file")
            }
            recording = row.cells[recordingColumn]
        }
        return row
    }
}

struct PoseCells {
    let line: Int
    let cells, names: [String]
    let format: TableFormat
    let file: String

    /// Throws `unreadableInput` when a line has a different number of cells from the header.
    init(
        _ number: Int, _ line: ArraySlice<UInt8>, _ names: [String], _ format: TableFormat, file: String
    ) throws(KinemaError) {
        (self.line, cells, self.names, self.format, self.file) = (number, format.cells(line), names, format, file)
        guard cells.count == names.count else {
            throw broken("has \(cells.count) columns, and the first line names \(names.count)")
        }
    }

    func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, "line \(line) \(what)", file: file) }

    /// The number in a column; nil if there is no column, or nothing in it.
    func number(_ column: Int?) throws(KinemaError) -> Double? {
        guard let column else { return nil }
        guard let value = format.number(cells[column]) else {
            throw broken("has no number in the column \(names[column])")
        }
        return value.isFinite ? value : nil
    }

    /// The time in a column as the file states it, or the seconds of a date or a time of day; nil if there is none.
    func time(_ column: Int?, _ times: inout TimeColumn?) throws(KinemaError) -> Double? {
        if let column, let seconds = TimeColumn.seconds(of: cells[column]) {
            times?.isClock = true
            return seconds
        }
        return try number(column)
    }

    func whole(_ column: Int?) throws(KinemaError) -> Int? {
        guard let value = try number(column) else { return nil }
        guard let whole = Int(exactly: value.rounded()) else {
            throw broken("has the number \(value), which is too large")
        }
        return whole
    }

    /// x, y and confidence; without a confidence column it is 1, or 0 at 0, 0.
    func point(_ xColumn: Int, _ yColumn: Int, _ confidenceColumn: Int?) throws(KinemaError) -> SIMD3<Float> {
        let (x, y) = (try number(xColumn) ?? .nan, try number(yColumn) ?? .nan)
        let sure: Double = x == 0 && y == 0 ? 0 : 1
        let confidence = confidenceColumn == nil ? sure : try number(confidenceColumn) ?? 0
        return SIMD3(Float(x), Float(y), Float(confidence))
    }

    func points(_ columns: PoseColumns) throws(KinemaError) -> [SIMD3<Float>] {
        var points: [SIMD3<Float>] = []
        for joint in columns.joints { points.append(try point(joint.x, joint.y, joint.confidence)) }
        return points
    }
}
