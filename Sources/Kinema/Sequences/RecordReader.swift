import Foundation
import KinemaCore

/// The numbers of a person's joints in other programs: flat, or a list per joint, a list per coordinate, or an object
/// per joint.
private struct JointNumbers: Decodable {
    /// Lists of each coordinate, as Ultralytics has them.
    private struct Columns: Decodable {
        var x, y: [Float?]
        var visible, confidence, conf: [Float?]?
    }

    /// A joint, as MediaPipe's and TensorFlow's libraries for browsers have it.
    private struct Named: Decodable {
        var x, y: Float?
        var name, part: String?
        var visibility, score, confidence: Float?
    }

    /// The numbers of each joint; for a flat list, all in one.
    private(set) var rows: [[Float]] = []
    private(set) var isFlat = false
    /// Whether third numbers have no name.
    private(set) var isRaw = true
    private(set) var names: [String?] = []

    init(from decoder: any Decoder) throws {
        func value(_ number: Float?) -> Float { number ?? .nan }
        if let flat = try? [Float?](from: decoder) {
            (rows, isFlat) = (flat.isEmpty ? [] : [flat.map(value)], true)
        } else if let lists = try? [[Float?]](from: decoder) {
            rows = lists.map { $0.map(value) }
        } else if let columns = try? Columns(from: decoder) {
            isRaw = false
            let sure = columns.visible ?? columns.confidence ?? columns.conf
            guard columns.x.count == columns.y.count, sure.map({ $0.count == columns.x.count }) ?? true else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "lists of other lengths"))
            }
            rows = columns.x.indices.map { index in
                [value(columns.x[index]), value(columns.y[index])] + (sure.map { [value($0[index])] } ?? [])
            }
        } else {
            let points = try [Named](from: decoder)
            isRaw = false
            let isSure = points.contains { ($0.visibility ?? $0.score ?? $0.confidence) != nil }
            rows = points.map { point in
                let sure = point.visibility ?? point.score ?? point.confidence
                return [value(point.x), value(point.y)] + (isSure ? [sure ?? 0] : [])
            }
            names = points.map { $0.name ?? $0.part }
        }
    }
}

/// A person's number: an integer, or a fraction or a list of one as in AlphaPose.
struct PersonNumber: Decodable {
    let value: Int?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try? container.decode(Double.self)
        value = (number ?? (try? container.decode([Double].self))?.first).flatMap { Int(exactly: $0) }
    }
}

/// A person in a frame in other programs' JSON.
private struct PersonRecord: Decodable {
    var keypoints, landmarks: JointNumbers?
    var keypoint_scores, keypoint_score: [Float?]?
    var track_id, id, idx, instance_id, person_id: PersonNumber?
    var confidence, score, bbox_score: Float?
    var frame_id, frame, frame_idx, frame_number: Int?
    var `class`, category_id: Int?

    var joints: JointNumbers? { keypoints ?? landmarks }
    var scores: [Float?]? { keypoint_scores ?? keypoint_score }
    var number: Int? { frame_id ?? frame ?? frame_idx ?? frame_number }
    var person: Int? { [track_id, id, idx, instance_id, person_id].lazy.compactMap { $0?.value }.first }
    var isOfPicture: Bool { `class` != nil || category_id != nil || bbox_score != nil }
}

/// A record and the time that it states, under any name that `TimeColumn` knows.
private struct Timed<Record: Decodable>: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let record: Record
    private(set) var time: Double?
    private(set) var column: TimeColumn?

    init(from decoder: any Decoder) throws {
        record = try Record(from: decoder)
        let values = try decoder.container(keyedBy: Key.self)
        let columns = values.allKeys.compactMap { key in TimeColumn(key.stringValue).map { (key, $0) } }
        // Of several, the first by its name, in every frame.
        for (key, found) in columns.sorted(by: { $0.1.name < $1.1.name }) where time == nil {
            column = found
            time = try? values.decode(Double.self, forKey: key)
            guard time == nil, let text = try? values.decode(String.self, forKey: key) else { continue }
            time = TimeColumn.seconds(of: text)
            column?.isClock = time != nil
        }
    }
}

/// The people of a frame who have joints; those of a frame with too many are counted but not decoded.
private struct PeopleRecord: Decodable {
    private(set) var people: [PersonRecord] = []
    let isCrowd: Bool

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        isCrowd = list.count ?? 0 > PoseTable.maximumPeople
        while !isCrowd, !list.isAtEnd {
            let person = try list.decode(PersonRecord.self)
            if person.joints?.rows.isEmpty == false { people.append(person) }
        }
    }
}

/// A frame with everyone in it in other programs' JSON.
private struct FrameRecord: Decodable {
    var instances, people, persons, poses, predictions: PeopleRecord?
    var frame_id, frame, frame_idx, frame_number: Int?

    var everyone: PeopleRecord? { instances ?? people ?? persons ?? poses ?? predictions }
    var number: Int? { frame_id ?? frame ?? frame_idx ?? frame_number }
}

/// Reads people in JSON: Ultralytics' results, mmpose's predictions, poses of TensorFlow's and MediaPipe's libraries.
struct RecordReader {
    private let limits: PoseFileLimits
    private let file: String
    private let decoder: JSONDecoder
    /// The frames so far, and the people in them; nil before the first person, who determines the joints.
    private var table: PoseTable?
    private var known: Layout = ([], nil, 0)
    /// The frames before the first person.
    private var early: [PoseTable.Frame] = []
    private var count = 0
    /// The number of the last frame, and the one that the file states.
    private var last, stated: Int?
    /// What the times of the frames say about themselves.
    private var times: TimeColumn?
    /// Whether the last frame gathers people whose only link is a common list.
    private var gathers = false

    init(_ limits: PoseFileLimits, file: String) {
        (self.limits, self.file) = (limits, file)
        decoder = JSONDecoder()
        // Python writes NaN.
        decoder.allowsJSON5 = true
    }

    private func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: file) }

    /// Whether a document holds such people rather than COCO's annotations.
    static func isMeant(by bytes: [UInt8]) -> Bool {
        let head = Data(bytes.prefix(1 << 16))
        func has(_ word: String) -> Bool { head.range(of: Data("\"\(word)\"".utf8)) != nil }
        return (has("keypoints") || has("landmarks") || has("instances")) && !has("image_id") && !has("images")
            && !has("annotations")
    }

    /// Reads lines, each of which is a frame.
    static func lines(_ bytes: [UInt8], _ limits: PoseFileLimits, file: String) throws(KinemaError) -> PoseTable {
        var reader = RecordReader(limits, file: file)
        var lines = ByteLines(bytes)
        while let (number, line) = lines.next() {
            guard line.count <= limits.lineBytes else { throw reader.broken("line \(number) is too long") }
            guard try reader.add(line, isLine: true) else {
                throw reader.broken("line \(number) is not a frame of people, or is cut short")
            }
        }
        return try reader.whole()
    }

    /// Reads a list of frames or of people, perhaps as a member of an object.
    static func list(_ bytes: [UInt8], _ limits: PoseFileLimits, file: String) throws(KinemaError) -> PoseTable {
        var reader = RecordReader(limits, file: file)
        var elements = JSONElements(bytes)
        var count = 0
        do {
            while let (member, element) = try elements.next() {
                guard ["", "instance_info", "frames", "results"].contains(member) else { continue }
                guard element.count <= limits.lineBytes else {
                    throw reader.broken("has an element of more than \(limits.lineBytes >> 20) MB")
                }
                guard try reader.add(element, isLine: false) else {
                    throw reader.broken("element \(count) is not a frame of people")
                }
                count += 1
            }
        } catch let error as KinemaError {
            throw error
        } catch {
            throw reader.broken("is not a list of frames of people, or is cut short")
        }
        return try reader.whole()
    }

    /// Adds a frame or a person; returns false for anything else.
    private mutating func add(_ text: ArraySlice<UInt8>, isLine: Bool) throws(KinemaError) -> Bool {
        guard count < limits.frames else { throw broken("has more than \(limits.frames) frames; split it") }
        let data = Data(text)
        if text.first(where: { ![32, 9].contains($0) }) == UInt8(ascii: "[") {
            guard let everyone = try? decoder.decode(PeopleRecord.self, from: data) else { return false }
            try begin(nil, nil, everyone)
            return true
        }
        if let frame = try? decoder.decode(Timed<FrameRecord>.self, from: data), let everyone = frame.record.everyone {
            if let column = frame.column { times = column }
            try begin(frame.record.number, frame.time, everyone)
            return true
        }
        guard let timed = try? decoder.decode(Timed<PersonRecord>.self, from: data), timed.record.joints != nil else {
            return false
        }
        let person = timed.record
        if let column = timed.column { times = column }
        let isNew = person.number.map { $0 != stated } ?? !(gathers && !isLine)
        if isNew || count == 0 { try begin(person.number, timed.time, nil) }
        try add(person)
        gathers = person.number == nil && person.isOfPicture
        return true
    }

    private mutating func begin(_ number: Int?, _ time: Double?, _ everyone: PeopleRecord?) throws(KinemaError) {
        let frame = PoseTable.Frame(number: number ?? count, time: time)
        if let last, frame.number <= last {
            throw broken("goes back from frame \(last) to \(frame.number); put each recording into its own file")
        }
        guard everyone?.isCrowd != true else {
            throw broken("frame \(frame.number) has more than \(PoseTable.maximumPeople) people")
        }
        if table == nil { early.append(frame) } else { try table?.append(frame) }
        (count, last, stated) = (count + 1, frame.number, number)
        for person in everyone?.people ?? [] { try add(person) }
    }

    /// Adds a person to the last frame.
    private mutating func add(_ person: PersonRecord) throws(KinemaError) {
        guard let joints = person.joints, !joints.rows.isEmpty else { return }
        if table == nil {
            known = try layout(joints)
            var table = PoseTable(
                known.keys, .pixels, order: known.order, hasRawThird: joints.isRaw && person.scores == nil,
                limits: limits, file: file)
            for frame in early { try table.append(frame) }
            (self.table, early) = (table, [])
        }
        let points = try points(of: joints, person.scores, known, at: last ?? 0)
        try table?.append(
            points, id: person.person, confidence: person.confidence ?? person.score ?? person.bbox_score ?? 1,
            to: count - 1)
    }

    private func whole() throws(KinemaError) -> PoseTable {
        guard var table else { throw broken("contains no keypoints of people") }
        table.times = times
        return table
    }

    private typealias Layout = (keys: [JointKey?], order: JointOrder?, each: Int)

    private func layout(_ joints: JointNumbers) throws(KinemaError) -> Layout {
        let names = joints.names.map { $0.flatMap(JointNames.joint) }
        if names.count(where: { $0 != nil }) >= 3 { return (names, nil, 0) }
        if joints.isFlat {
            if let numbers = NumberRow(joints.rows[0].count, of: .body) {
                return (numbers.order.keys, numbers.order, numbers.width / numbers.order.count)
            }
        } else if let order = JointOrder(joints: joints.rows.count, of: .body) {
            return (order.keys, order, 0)
        }
        let count = joints.isFlat ? "\(joints.rows[0].count) numbers" : "\(joints.rows.count) joints"
        throw broken(
            "has a person of \(count); \(JointOrder.known(of: .body)) joints, or joints with names, can be read")
    }

    private func points(
        of joints: JointNumbers, _ scores: [Float?]?, _ layout: Layout, at frame: Int
    ) throws(KinemaError) -> [SIMD3<Float>] {
        var rows = joints.rows
        if joints.isFlat, layout.each > 0 {
            let numbers = rows[0]
            rows = stride(from: 0, to: numbers.count - layout.each + 1, by: layout.each).map {
                Array(numbers[$0..<$0 + layout.each])
            }
        }
        guard rows.count == layout.keys.count, scores.map({ $0.count == rows.count }) ?? true,
            rows.allSatisfy({ (2...5).contains($0.count) && $0.count == rows[0].count })
        else { throw broken("has a different number of joints in frame \(frame) than before") }
        if scores != nil, rows[0].count > 2 {
            throw broken("contains joints in space (x, y, z); give their positions in the image (x, y)")
        }
        return rows.enumerated().map { index, row in
            let sure = scores.map { $0[index] ?? 0 } ?? (row.count == 2 ? 1 : row[row.count == 3 ? 2 : 3])
            // Ultralytics moves uncertain joints to 0, 0.
            return SIMD3(row[0], row[1], row[0] == 0 && row[1] == 0 ? 0 : sure)
        }
    }
}
