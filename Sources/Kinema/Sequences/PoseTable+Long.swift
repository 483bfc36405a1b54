import KinemaCore

extension PoseTable {
    /// A person in a frame whose joints may still follow in later rows.
    private struct Slot: Hashable {
        var frame: Int
        var person: Int?
    }

    /// Reads a table with a row for each joint, in any order of rows.
    static func long(
        _ rows: PoseRows, _ columns: LongColumns, _ limits: PoseFileLimits
    ) throws(KinemaError) -> PoseTable {
        let (keys, order) = PoseColumns.keyed(try labels(rows, columns))
        guard keys.count >= 3 else {
            throw KinemaError(
                .unreadableInput, "has no joints of a body in the column \(rows.names[columns.joint])",
                file: rows.file)
        }
        let joints = Set(keys.values).sorted { $0.rawValue < $1.rawValue }
        let places = Dictionary(uniqueKeysWithValues: joints.enumerated().map { ($1, $0) })
        var slots: [Slot: Int] = [:]
        var times: [Int: Double] = [:]
        var column = columns.others.times
        var points: [SIMD3<Float>] = []
        var (rows, counter, first) = (rows, -1, String?.none)
        (rows.recordingColumn, rows.personColumn) = (columns.others.recording, columns.others.person)
        while let row = try rows.next() {
            let cell = row.cells[columns.joint]
            // Without numbers of frames, the first joint begins one.
            if first == nil { first = cell }
            if cell == first { counter += 1 }
            let time = try row.time(columns.others.time, &column)
            let frame = try row.whole(columns.others.frame) ?? time.map(Self.order) ?? counter
            if times[frame] == nil, let time { times[frame] = time }
            guard let joint = LongColumns.joint(cell), let key = keys[joint], let place = places[key] else {
                continue
            }
            let slot = Slot(frame: frame, person: row.person)
            let start = slots[slot] ?? points.count
            if start == points.count {
                guard slots.count < limits.frames else {
                    throw row.broken("is beyond \(limits.frames) frames; split the file")
                }
                slots[slot] = start
                points += [SIMD3<Float>](repeating: SIMD3(.nan, .nan, 0), count: joints.count)
            }
            points[start + place] = try row.point(columns.x, columns.y, columns.confidence)
        }
        var table = PoseTable(joints, .pixels, order: order, limits: limits, file: rows.file)
        table.times = column
        for (slot, start) in slots.sorted(by: { ($0.key.frame, $0.value) < ($1.key.frame, $1.value) }) {
            if table.frames.last?.number != slot.frame {
                try table.append(Frame(number: slot.frame, time: times[slot.frame]))
            }
            try table.append(Array(points[start..<start + joints.count]), id: slot.person, to: table.frames.count - 1)
        }
        if columns.others.frame == nil { table.numberFrames() }
        if columns.others.person == nil { table.setOnlyPerson() }
        return table
    }

    /// A number that orders times: those since 1970 in nanoseconds leave no room for fractions.
    private static func order(_ time: Double) -> Int { Int(clamping: abs(time) < 1e12 ? time * 1e6 : time) }

    private static func labels(_ rows: PoseRows, _ columns: LongColumns) throws(KinemaError) -> Set<PoseColumns.Joint> {
        var (rows, labels) = (rows, Set<PoseColumns.Joint>())
        while let row = try rows.next() {
            guard let joint = LongColumns.joint(row.cells[columns.joint]) else { continue }
            labels.insert(joint)
            guard labels.count <= mostLabels else {
                throw row.broken("names more than \(mostLabels) joints in the column \(rows.names[columns.joint])")
            }
        }
        return labels
    }

    /// The most joints that a table may name: MediaPipe's body, hands and face have 543.
    private static let mostLabels = 600
}
