import KinemaMotion
import Foundation
import KinemaCore

/// The meaning of the columns of a table with names.
///
/// A joint's column names the joint and the quantity in any order and spelling: `nose_x`, `x_nose`, `LEFT_HIP.y`,
/// `leftHip.confidence`; or the joint's number: `x12`, `landmark_12_visibility`.
struct PoseColumns {
    struct Others {
        private(set) var time: Int?
        /// What the column of times says about itself.
        private(set) var times: TimeColumn?
        private(set) var frame, person, confidence, recording: Int?

        /// Whether there is any of them.
        var isAny: Bool { [time, frame, person, confidence, recording].contains { $0 != nil } }

        /// `isAlone` if the numbers of the columns cannot be looked at as well.
        mutating func set(_ name: String, _ column: Int, isAlone: Bool = false) {
            switch name.lowercased().filter({ $0.isLetter || $0 == "_" }) {
            case "frame", "frame_number", "frame_id", "frame_index", "frame_idx", "frameid", "frameindex",
                "framenumber", "frame_no", "frame_num", "framenum":
                frame = frame ?? column
            case "id", "person", "person_id", "track_id", "personid", "trackid", "track": person = person ?? column
            case "confidence": confidence = confidence ?? column
            case "video", "video_id", "file", "filename", "file_name", "clip", "recording", "vid_id":
                recording = recording ?? column
            default:
                guard let found = TimeColumn(name, isAlone: isAlone) else { return }
                if let times { guard times.isLoose, !found.isLoose else { return } }
                (time, times) = (column, found)
            }
        }
    }

    enum Role: Hashable { case x, y, z, confidence }
    enum Joint: Hashable { case named(JointKey), numbered(Int) }

    private(set) var joints: [(key: JointKey, x: Int, y: Int, confidence: Int?)] = []
    /// The third coordinate of each joint; empty unless all have one.
    private(set) var depths: [Int] = []
    /// The names of points with x and y that are no joints that Kinema knows, in order.
    let unknown: [String]
    /// The order assumed for numbered joints; nil if joints have names.
    private(set) var order: JointOrder?
    private(set) var others = Others()
    /// Whether this is the table of `kinema pose --format csv`, in which y points up.
    let isKinemas: Bool

    static let roles: [String: Role] = [
        "x": .x, "y": .y, "z": .z, "visibility": .confidence, "vis": .confidence, "v": .confidence,
        "confidence": .confidence,
        "conf": .confidence, "c": .confidence, "score": .confidence, "likelihood": .confidence,
    ]
    /// Words that only introduce a joint.
    static let fillers: Set<String> = ["landmark", "landmarks", "keypoint", "kp", "joint", "point", "pose", "lm"]

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
        unknown = Self.unknown(names)
        let (keys, order) = Self.keyed(Set(found.keys))
        self.order = order
        joints = found.compactMap { joint, roles in
            guard let key = keys[joint], let x = roles[.x], let y = roles[.y] else { return nil }
            return (key, x, y, roles[.confidence])
        }
        joints.sort { $0.key.rawValue < $1.key.rawValue }
        let thirds = Dictionary(found.compactMap { joint, roles in keys[joint].map { ($0, roles[.z]) } }) { first, _ in
            first
        }
        let depths = joints.compactMap { thirds[$0.key] ?? nil }
        if depths.count == joints.count { self.depths = depths }
        guard joints.count >= Self.fewestJoints else { return nil }
    }

    /// The fewest joints that count as a body: an arm has three.
    fileprivate static let fewestJoints = 3

    /// Whether a body is missing beside points that are unknown: fewer than an arm's joints are known, or no shoulder and no
    /// hip.
    var lacksBody: Bool {
        let trunk: Set<JointKey> = [.leftShoulder, .rightShoulder, .leftHip, .rightHip]
        let limbs = joints.count { BodySkeleton.limbs.contains($0.key) }
        return unknown.count >= Self.fewestJoints
            && (limbs < Self.fewestJoints || !joints.contains { trunk.contains($0.key) })
    }

    /// Whether all limbs are known.
    var hasWholeBody: Bool { BodySkeleton.limbs.allSatisfy { limb in joints.contains { $0.key == limb } } }

    /// The names of points that have x and y among the columns, but are no joints, as they are written.
    static func unknown(_ names: [String]) -> [String] {
        var (order, found) = ([String](), [String: Set<Role>]())
        for name in names where joint(name) == nil {
            let words = words(name)
            guard words.count > 1, let last = words.last,
                let role = roles[last] ?? roles[words[0]]
            else { continue }
            let isLast = roles[last] != nil
            let length = (isLast ? last : words[0]).count
            let bare = (isLast ? name.dropLast(length) : name.dropFirst(length)).trimmingCharacters(
                in: .alphanumerics.inverted)
            if found[bare] == nil { order.append(bare) }
            found[bare, default: []].insert(role)
        }
        return order.filter { found[$0]?.isSuperset(of: [.x, .y]) == true && !$0.contains(where: \.isNumber) }
    }

    /// Says that points are unknown, and how joints are named; nil without such points.
    static func misnomer(_ unknown: [String]) -> String? {
        guard !unknown.isEmpty else { return nil }
        let more = unknown.count > mostNamed ? " and \(unknown.count - mostNamed) more" : ""
        return "\(unknown.prefix(mostNamed).joined(separator: ", "))\(more)"
    }

    /// The most unknown points that a message lists.
    private static let mostNamed = 6

    static func joint(_ name: String) -> (Joint, Role)? {
        let words = words(name)
        guard words.count > 1, !words.contains("world"), let last = words.indices.last else { return nil }
        // The quantity comes last, as in nose_x, or first, as in x_nose.
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

    /// The words of a name in lower case, split at punctuation, case changes, and between letters and digits.
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

    /// The keys of joints, and the order assumed for numbered ones: MediaPipe's, OpenPose's or COCO's, from 0 or 1.
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
                let index = number &- (isFromZero ? 0 : 1)
                guard all.indices.contains(index), let key = all[index] else { continue }
                // BODY_25 has each tip of a foot twice, the big toe first.
                if all.firstIndex(of: key) == index { keys[joint] = key }
            }
        }
        return (keys, order)
    }
}

extension PoseTable {
    /// Reads a table whose first line names its columns; nil if it names no joints.
    static func columns(_ bytes: [UInt8], _ limits: PoseFileLimits, file: String) throws(KinemaError) -> PoseTable? {
        guard var rows = PoseRows(bytes, limits, file: file) else { return nil }
        let people = rows.head.people.compactMap { PoseColumns($0) }
        if let columns = people.first(where: \.lacksBody) { throw misnamed(columns.unknown, file) }
        guard let columns = people.first else {
            guard let columns = LongColumns(rows.names) else {
                let unknown = PoseColumns.unknown(rows.names)
                guard unknown.count >= PoseColumns.fewestJoints else { return nil }
                throw misnamed(unknown, file)
            }
            return try long(rows, columns, limits)
        }
        // Other joints than those of the first are of something else, such as things.
        let everyone = people.filter { $0.joints.map(\.key) == columns.joints.map(\.key) }
        (rows.recordingColumn, rows.personColumn) = (columns.others.recording, columns.others.person)
        let places = columns.isKinemas ? Places.shares : .pixels
        var table = PoseTable(columns.joints.map(\.key), places, order: columns.order, limits: limits, file: file)
        (table.times, table.namesAxes) = (columns.others.times, true)
        if !columns.hasWholeBody, let names = PoseColumns.misnomer(columns.unknown) { table.add("no joints: \(names)") }
        var depths: [Float] = []
        while let row = try rows.next() {
            let before = table.points.count
            try table.append(row, everyone)
            if everyone.count == 1, table.points.count > before { depths += try row.depths(columns) }
        }
        table.turn(depths: depths)
        // Without a person column, one person per frame is always the same person.
        if everyone.count == 1, columns.others.person == nil { table.setOnlyPerson() }
        return table
    }

    private static func misnamed(_ unknown: [String], _ file: String) -> KinemaError {
        KinemaError(
            .unreadableInput,
            "has columns of points that are no known joints (\(PoseColumns.misnomer(unknown) ?? "")); name them with "
                + "their side, such as left_knee_x and left_knee_y", file: file)
    }

    /// Adds a row, which has the columns of everyone.
    private mutating func append(_ row: PoseCells, _ people: [PoseColumns]) throws(KinemaError) {
        let columns = people[0]
        let index = try row.whole(columns.others.frame) ?? frames.count
        let time = try row.time(columns.others.time, &times)
        if columns.others.time != nil, time == nil, times?.isLoose != true { throw row.broken("has no time") }
        let isNew = frames.last?.number != index
        if isNew {
            if let last = frames.last?.number, index <= last {
                throw row.broken("goes back from frame \(last) to \(index); put each recording into its own file")
            }
            try append(Frame(number: index, time: time))
        }
        let confidence = try row.number(columns.others.confidence) ?? 1
        for (number, person) in people.enumerated() {
            let id = people.count > 1 ? number + 1 : row.person
            try append(row.points(person), id: id, confidence: Float(confidence), to: frames.count - 1)
        }
    }
}
