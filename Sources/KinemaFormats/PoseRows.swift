import Foundation
import KinemaCore

/// The lines of a table after the line of names.
struct PoseRows {
    private var lines: ByteLines<[UInt8]>
    let head: TableHead
    private let format: TableFormat
    private let limits: PoseFileLimits
    let file: String
    /// The column that names the recording, if any; every row must have the same one.
    var recordingColumn: Int?
    private var recording: String?
    /// The column that says whose joints a row holds, by a number or a name.
    var personColumn: Int?
    private var people: [String: Int] = [:]

    /// The names of the columns.
    var names: [String] { head.names }

    /// Starts a table; nil if it is empty or its first line is too long.
    init?(_ bytes: [UInt8], _ limits: PoseFileLimits, file: String) {
        lines = ByteLines(bytes)
        guard let (_, first) = lines.next(), first.count <= limits.lineBytes else { return nil }
        (format, self.limits, self.file) = (TableFormat(first), limits, file)
        head = TableHead(format.cells(first), format, &lines)
    }

    /// The next row; throws `unreadableInput` for a row that is too long, of another length or of another recording.
    mutating func next() throws(KinemaError) -> PoseCells? {
        guard let (number, line) = lines.next() else { return nil }
        guard line.count <= limits.lineBytes else {
            throw KinemaError(.unreadableInput, "line \(number) is too long", file: file)
        }
        var row = try PoseCells(number, line, names, format, file: file)
        if let personColumn {
            let cell = row.cells[personColumn]
            if format.number(cell) == nil { people[cell] = people[cell] ?? people.count + 1 }
            row.person = people[cell]
            if row.person == nil { row.person = try row.whole(personColumn) }
        }
        if let recordingColumn {
            guard recording == nil || recording == row.cells[recordingColumn] else {
                throw row.broken("belongs to another recording than the lines before it; put each into its own file")
            }
            recording = row.cells[recordingColumn]
        }
        return row
    }
}

/// The names of a table's columns: a line, or the levels that DeepLabCut and pandas write in up to four, such as scorer,
/// individuals, bodyparts and coords.
struct TableHead {
    private(set) var names: [String]
    /// The names of each person's columns, with nothing above those of others.
    private(set) var people: [[String]]

    /// Begins with the cells of the first line and takes the further levels from the lines that follow.
    init(_ first: [String], _ format: TableFormat, _ lines: inout ByteLines<[UInt8]>) {
        (names, people) = (first, [first])
        guard PoseColumns(first) == nil, LongColumns(first) == nil else { return }
        var (levels, rest) = ([first], lines)
        while levels.count < Self.mostLevels, let (_, line) = rest.next() {
            let cells = format.cells(line)
            guard cells.count == first.count else { return }
            guard let start = cells.firstIndex(where: Self.isQuantity), start > 0, cells.count - start > 5,
                cells[start...].allSatisfy(Self.isQuantity)
            else {
                levels.append(cells)
                continue
            }
            set(levels, cells, start)
            lines = rest
            // pandas names the index in a line of its own.
            guard let (_, next) = rest.next() else { return }
            let index = format.cells(next)
            if index.count == first.count, index[start...].allSatisfy(\.isEmpty), format.number(index[start - 1]) == nil
            {
                for person in people.indices { people[person][start - 1] = index[start - 1] }
                (names[start - 1], lines) = (index[start - 1], rest)
            }
            return
        }
    }

    private static let mostLevels = 4

    private static func isQuantity(_ cell: String) -> Bool {
        let small = cell.lowercased()
        return PoseColumns.roles[small] != nil
    }

    /// Joins the levels above the quantities; the columns before `start` are the index.
    private mutating func set(_ levels: [[String]], _ quantities: [String], _ start: Int) {
        func known(_ level: [String]) -> Int { level[start...].count { JointNames.joint($0) != nil } }
        guard let joints = levels.reversed().max(by: { known($0) < known($1) }) else { return }
        let labels = levels.first { level in
            level != joints && (level[0].lowercased().hasPrefix("individual") || Set(level[start...]).count > 1)
        }
        let last = quantities[start - 1]
        var others = PoseColumns.Others()
        others.set(last, 0)
        let index = [String](repeating: "", count: start - 1) + [others.isAny ? last : "frame"]
        names = index + (start..<quantities.count).map { "\(joints[$0])_\(quantities[$0])" }
        let owners = labels.map { Array($0[start...]) } ?? []
        let labelled = owners.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        people =
            labelled.isEmpty
            ? [names]
            : labelled.map { owner in
                index + names[start...].enumerated().map { owners[$0.offset] == owner ? $0.element : "" }
            }
    }
}

struct PoseCells {
    let line: Int
    let cells, names: [String]
    let format: TableFormat
    let file: String
    /// The number of the row's person.
    fileprivate(set) var person: Int?

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
        // Not everything with such a name is a time.
        if let column, times?.isLoose == true, format.number(cells[column]) == nil { return nil }
        return try number(column)
    }

    func whole(_ column: Int?) throws(KinemaError) -> Int? {
        // The name of a picture, as in DeepLabCut's labels, has its number last.
        if let column, format.number(cells[column]) == nil, let number = FrameNumber.last(in: cells[column]) {
            return number
        }
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

    /// The third coordinates, NaN where there is none; empty for columns without them.
    func depths(_ columns: PoseColumns) throws(KinemaError) -> [Float] {
        var depths: [Float] = []
        for column in columns.depths { depths.append(Float(try number(column) ?? .nan)) }
        return depths
    }

    func points(_ columns: PoseColumns) throws(KinemaError) -> [SIMD3<Float>] {
        var points: [SIMD3<Float>] = []
        for joint in columns.joints { points.append(try point(joint.x, joint.y, joint.confidence)) }
        return points
    }
}
