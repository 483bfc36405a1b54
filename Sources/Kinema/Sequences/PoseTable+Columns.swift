import KinemaCore

extension PoseTable {
    /// Reads a table whose first line names its columns; nil if it names no joints.
    static func columns(_ bytes: [UInt8], _ limits: PoseFileLimits, file: String) throws(KinemaError) -> PoseTable? {
        guard var rows = PoseRows(bytes, limits, file: file) else { return nil }
        guard let columns = PoseColumns(rows.names) else {
            guard let columns = LongColumns(rows.names) else { return nil }
            return try long(rows, columns, limits)
        }
        rows.recordingColumn = columns.others.recording
        let places = columns.isKinemas ? Places.shares : .pixels
        var table = PoseTable(columns.joints.map(\.key), places, order: columns.order, limits: limits, file: file)
        while let row = try rows.next() { try table.append(row, columns) }
        // Without a column for it, a person a frame is one and the same.
        if columns.others.person == nil { table.setOnlyPerson() }
        return table
    }

    private mutating func append(_ row: PoseCells, _ columns: PoseColumns) throws(KinemaError) {
        let index = try row.whole(columns.others.frame) ?? frames.count
        var time = try row.number(columns.others.time?.column)
        if columns.others.time != nil, time == nil { throw row.broken("has no time") }
        time = time.map { $0 / (columns.others.time?.unit ?? 1) }
        let isNew = frames.last?.number != index
        if isNew {
            if let last = frames.last?.number, index <= last {
                throw row.broken("goes back from frame \(last) to \(index); put each recording into its own file")
            }
            try append(Frame(number: index, time: time))
        }
        let confidence = try row.number(columns.others.confidence) ?? 1
        try append(
            row.points(columns), id: row.whole(columns.others.person), confidence: Float(confidence),
            to: frames.count - 1)
    }
}
