import Foundation
import KinemaCore

/// The names that programs give to the joints of a body.
enum JointNames {
    /// The joint of a name in any spelling: LEFT_HIP, leftHip, left_hip, LHip and l_hip are the same; nil if it is none.
    static func joint(_ name: some StringProtocol) -> JointKey? { known[String(name.lowercased().filter(\.isLetter))] }

    private static let known: [String: JointKey] = {
        var names: [String: JointKey] = [
            "nose": .nose, "neck": .neck, "root": .root, "hip": .root, "chip": .root, "midhip": .root, "pelvis": .root,
            "hipcenter": .root, "mouthleft": .leftMouth, "mouthright": .rightMouth,
        ]
        let sides: [(names: [String], left: JointKey, right: JointKey)] = [
            (["eye"], .leftEye, .rightEye), (["ear"], .leftEar, .rightEar), (["mouth"], .leftMouth, .rightMouth),
            (["eyeinner"], .leftEyeInner, .rightEyeInner), (["eyeouter"], .leftEyeOuter, .rightEyeOuter),
            (["shoulder"], .leftShoulder, .rightShoulder), (["elbow"], .leftElbow, .rightElbow),
            (["wrist"], .leftWrist, .rightWrist), (["hip"], .leftHip, .rightHip), (["knee"], .leftKnee, .rightKnee),
            (["ankle"], .leftAnkle, .rightAnkle), (["heel"], .leftHeel, .rightHeel),
            (["foottip", "footindex", "bigtoe", "toe"], .leftFootTip, .rightFootTip),
            (["pinky", "littlefinger"], .leftLittleFinger, .rightLittleFinger),
            (["index", "indexfinger"], .leftIndexFinger, .rightIndexFinger), (["thumb"], .leftThumb, .rightThumb),
        ]
        for side in sides {
            for name in side.names {
                for left in ["left", "l"] { names[left + name] = side.left }
                for right in ["right", "r"] { names[right + name] = side.right }
            }
        }
        return names
    }()
}

/// What the columns of a table with names mean.
///
/// A name of a joint's column has the joint and what it says of it, in any order and spelling: `nose_x`, `x_nose`,
/// `LEFT_HIP.y`, `leftHip.confidence`; or the joint's number: `x12`, `landmark_12_visibility`.
struct PoseColumns {
    /// The columns that say of which frame, time, person and recording a row is.
    struct Others {
        private(set) var time: (column: Int, unit: Double)?
        private(set) var frame: Int?
        private(set) var person: Int?
        private(set) var confidence: Int?
        /// The column that names the recording a row is of.
        private(set) var recording: Int?

        /// Takes a column for what its name says.
        mutating func set(_ name: String, _ column: Int) {
            switch name.lowercased().filter({ $0.isLetter || $0 == "_" }) {
            case "time", "t", "time_s", "seconds", "sec", "timestamp", "times": time = time ?? (column, 1)
            case "timestamp_ms", "time_ms", "ms", "milliseconds": time = time ?? (column, 1000)
            case "frame", "frame_number", "frame_id", "frame_index", "frame_idx", "frameid", "frameindex",
                "framenumber",
                "frame_no", "frame_num", "framenum":
                frame = frame ?? column
            case "id", "person", "person_id", "track_id", "personid", "trackid": person = person ?? column
            case "confidence": confidence = confidence ?? column
            case "video", "video_id", "file", "filename", "file_name", "clip", "recording", "vid_id":
                recording = recording ?? column
            default: break
            }
        }
    }

    enum Role: Hashable { case x, y, confidence }
    enum Joint: Hashable { case named(JointKey), numbered(Int) }

    private(set) var joints: [(key: JointKey, x: Int, y: Int, confidence: Int?)] = []
    /// The order that numbers in place of names were taken for; nil where joints have names.
    private(set) var order: JointOrder?
    /// The columns that are no joint's.
    private(set) var others = Others()
    /// Whether this is the table of `kinema pose --format csv`, whose y is upwards.
    let isKinemas: Bool

    static let roles: [String: Role] = [
        "x": .x, "y": .y, "visibility": .confidence, "vis": .confidence, "v": .confidence, "confidence": .confidence,
        "conf": .confidence, "c": .confidence, "score": .confidence, "likelihood": .confidence,
    ]
    /// Words that say no more than that a joint follows.
    static let fillers: Set<String> = [
        "landmark", "landmarks", "keypoint", "kp", "joint", "point", "pose", "lm",
    ]

    /// The columns of these names; nil unless they name joints of a body.
    init?(_ names: [String]) {
        isKinemas = names.joined(separator: ",") == CSVExport.header
        var found: [Joint: [Role: Int]] = [:]
        for (column, name) in names.enumerated() {
            if let (joint, role) = Self.joint(name) {
                if found[joint, default: [:]][role] == nil { found[joint, default: [:]][role] = column }
            } else {
                others.set(name, column)
            }
        }
        joints = Self.keyed(found).compactMap { key, roles in
            guard let x = roles[.x], let y = roles[.y] else { return nil }
            return (key, x, y, roles[.confidence])
        }
        guard joints.count >= Self.fewestJoints else { return nil }
        order = Self.keyed(Set(found.keys)).order
    }

    /// Fewer joints than these are no body: an arm has three.
    private static let fewestJoints = 3

    private static func joint(_ name: String) -> (Joint, Role)? {
        let words = words(name)
        guard words.count > 1, !words.contains("world"), let last = words.indices.last else { return nil }
        // What the number says stands last, as in nose_x, or first, as in x_nose.
        for place in [last, 0] {
            guard let role = roles[words[place]] else { continue }
            var rest = words
            rest.remove(at: place)
            let bare = rest.filter { !fillers.contains($0) }
            if bare.count == 1, let number = Int(bare[0]) { return (.numbered(number), role) }
            if let key = JointNames.joint(bare.joined()) { return (.named(key), role) }
        }
        return nil
    }

    /// The words of a name, small: parts between signs, between small and large letters, and between letters and digits.
    static func words(_ name: String) -> [String] {
        var words = [""]
        var previous: Character = " "
        for character in name {
            let isWord = character.isLetter || character.isNumber
            let turns =
                previous.isLowercase && character.isUppercase
                || previous.isLetter != character.isLetter && previous.isNumber != character.isNumber
            if !isWord || turns { words.append("") }
            if isWord { words[words.count - 1] += character.lowercased() }
            previous = character
        }
        return words.filter { !$0.isEmpty }
    }

    /// The columns of joints by their keys.
    private static func keyed(_ found: [Joint: [Role: Int]]) -> [(key: JointKey, roles: [Role: Int])] {
        let keys = keyed(Set(found.keys)).keys
        return found.compactMap { joint, roles in keys[joint].map { (key: $0, roles: roles) } }.sorted {
            $0.key.rawValue < $1.key.rawValue
        }
    }

    /// The keys of joints, of which numbers count those of MediaPipe, OpenPose or COCO from 0 or 1, and the order that they
    /// were taken for.
    static func keyed(_ found: Set<Joint>) -> (keys: [Joint: JointKey], order: JointOrder?) {
        let numbers = found.compactMap { if case .numbered(let number) = $0 { number } else { nil } }.sorted()
        let isFromZero = numbers.first == 0
        let order = JointOrder(joints: numbers.count, of: .body)
        let all = order?.keys ?? []
        var keys: [Joint: JointKey] = [:]
        for joint in found {
            switch joint {
            case .named(let key): keys[joint] = key
            case .numbered(let number):
                let index = number - (isFromZero ? 0 : 1)
                guard all.indices.contains(index), let key = all[index] else { continue }
                // BODY_25 has each tip of a foot twice, the big toe first.
                if all.firstIndex(of: key) == index { keys[joint] = key }
            }
        }
        return (keys, order)
    }
}

/// A line of a table with names.
struct PoseCells {
    let line: Int
    let cells: [String]
    let names: [String]
    let format: TableFormat
    let file: String

    /// Throws `unreadableInput` when a line has not as many cells as there are names.
    init(
        _ number: Int, _ line: ArraySlice<UInt8>, _ names: [String], _ format: TableFormat, file: String
    ) throws(KinemaError) {
        (self.line, cells, self.names, self.format, self.file) = (number, format.cells(line), names, format, file)
        guard cells.count == names.count else {
            throw broken("has \(cells.count) columns, and the first line names \(names.count)")
        }
    }

    func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, "line \(line) \(what)", file: file) }

    /// The number in a column; nil where there is no column, or nothing in it.
    func number(_ column: Int?) throws(KinemaError) -> Double? {
        guard let column else { return nil }
        guard let value = format.number(cells[column]) else {
            throw broken("has no number in the column \(names[column])")
        }
        return value.isFinite ? value : nil
    }

    func whole(_ column: Int?) throws(KinemaError) -> Int? {
        guard let value = try number(column) else { return nil }
        guard let whole = Int(exactly: value.rounded()) else {
            throw broken("has the number \(value), which is too large")
        }
        return whole
    }

    /// x, y and confidence; without a column for it, places but for 0, 0 are sure.
    func point(_ xColumn: Int, _ yColumn: Int, _ confidenceColumn: Int?) throws(KinemaError) -> SIMD3<Float> {
        let (x, y) = (try number(xColumn) ?? .nan, try number(yColumn) ?? .nan)
        let sure: Double = x == 0 && y == 0 ? 0 : 1
        let confidence = confidenceColumn == nil ? sure : try number(confidenceColumn) ?? 0
        return SIMD3(Float(x), Float(y), Float(confidence))
    }

    /// Those of each joint.
    func points(_ columns: PoseColumns) throws(KinemaError) -> [SIMD3<Float>] {
        var points: [SIMD3<Float>] = []
        for joint in columns.joints { points.append(try point(joint.x, joint.y, joint.confidence)) }
        return points
    }
}

extension PoseTable {
    /// Reads a table whose first line names its columns; nil if it names no joints.
    static func columns(
        _ bytes: [UInt8], _ limits: PoseFileLimits, file: String
    ) throws(KinemaError) -> PoseTable? {
        var lines = ByteLines(bytes)
        guard let (_, head) = lines.next(), head.count <= limits.lineBytes else { return nil }
        let format = TableFormat(head)
        let names = format.cells(head)
        guard let columns = PoseColumns(names) else {
            guard let columns = LongColumns(names) else { return nil }
            return try long(lines, columns, format, names, limits, file: file)
        }
        let places = columns.isKinemas ? Places.shares : .pixels
        var table = PoseTable(columns.joints.map(\.key), places, order: columns.order, limits: limits, file: file)
        var recording: String?
        while let (number, line) = lines.next() {
            guard line.count <= limits.lineBytes else {
                throw KinemaError(.unreadableInput, "line \(number) is too long", file: file)
            }
            let row = try PoseCells(number, line, names, format, file: file)
            if let column = columns.others.recording {
                guard recording == nil || recording == row.cells[column] else {
                    throw row.broken("is of another recording than the lines before it; give each a file of its own")
                }
                recording = row.cells[column]
            }
            try table.append(row, columns)
        }
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
                throw row.broken("goes back from frame \(last) to \(index); give each recording a file of its own")
            }
            try append(Frame(number: index, time: time))
        }
        let confidence = try row.number(columns.others.confidence) ?? 1
        try append(
            row.points(columns), id: row.whole(columns.others.person), confidence: Float(confidence),
            to: frames.count - 1)
    }

    /// Reads motion-capture markers (TRC): metres, centimetres or millimetres, y up.
    static func markers(_ bytes: [UInt8], _ limits: PoseFileLimits, file: String) throws(KinemaError) -> PoseTable {
        func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: file) }
        func cells(_ line: ArraySlice<UInt8>) -> [String] {
            String(decoding: line, as: UTF8.self).split(separator: "\t", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        var lines = ByteLines(bytes)
        var head: [[String]] = []
        while head.count < 5, let (_, line) = lines.next() {
            guard line.count <= limits.lineBytes else { throw broken("line \(head.count + 1) is too long") }
            head.append(cells(line))
        }
        guard head.count == 5, head[0].first?.hasPrefix("PathFileType") == true, head[3].count > 2 else {
            throw broken("is not a file of markers (.trc), or is cut short")
        }
        let settings = Dictionary(zip(head[1], head[2])) { first, _ in first }
        let units: [String: Float] = ["m": 1, "cm": 0.01, "mm": 0.001]
        guard let unit = units[settings["Units"] ?? ""] else {
            throw broken("has markers in \(settings["Units"] ?? "no unit"); m, cm and mm can be read")
        }
        let markers = head[3].enumerated().compactMap { column, name in
            JointNames.joint(name).map { (key: $0, column: column) }
        }
        guard markers.count >= 3 else { throw broken("names no markers of joints, such as RKnee and LHip") }
        var table = PoseTable(markers.map(\.key), .space, limits: limits, file: file)
        while let (number, line) = lines.next() {
            guard line.count <= limits.lineBytes else { throw broken("line \(number) is too long") }
            let row = cells(line)
            if row.allSatisfy(\.isEmpty) { continue }
            guard row.count > 2, let index = Int(row[0]), let time = Double(row[1]) else {
                throw broken("line \(number) does not begin with a frame and a time")
            }
            if let last = table.frames.last?.number, index <= last {
                throw broken("line \(number) goes back to frame \(index)")
            }
            try table.append(Frame(number: index, time: time))
            let places = markers.map { marker in
                let cells = (0..<3).map {
                    row.indices.contains(marker.column + $0) ? Float(row[marker.column + $0]) ?? .nan : .nan
                }
                return SIMD3(cells[0], cells[1], cells[2]) * unit
            }
            let points = places.map { SIMD3($0.x, $0.y, $0.x.isFinite && $0.y.isFinite && $0.z.isFinite ? 1 : 0) }
            try table.append(points, in: places, id: 1, to: table.frames.count - 1)
        }
        return table
    }
}
