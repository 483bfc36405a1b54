import KinemaMotion
import Foundation
import KinemaCore

/// The names that other programs give to the parts of frames and people in JSON; of several, the first.
private enum RecordNames {
    /// A frame's people: mmpose, OpenPose, Ultralytics, TensorFlow, AlphaPose's `cmu`, Apple's Vision.
    static let people = ["instances", "people", "persons", "poses", "predictions", "bodies", "observations"]
    /// A person's joints; a list of lists of objects under these names is everyone (MediaPipe Tasks).
    static let joints = [
        "keypoints", "landmarks", "pose_keypoints_2d", "pose_keypoints", "joints", "pose_landmarks", "poseLandmarks",
        "landmark", "recognizedPoints", "points",
    ]
    static let scores = ["keypoint_scores", "keypoint_score"]
    static let person = ["track_id", "id", "idx", "instance_id", "person_id"]
    static let confidence = ["confidence", "score", "bbox_score"]
    static let frame = ["frame_id", "frame", "frame_idx", "frame_number"]
    /// Members of a picture's person in a list of people without frames.
    static let picture = ["class", "category_id", "bbox_score"]
    /// A joint's confidence, name and place.
    static let certainty = ["visibility", "visible", "score", "confidence", "conf", "likelihood", "c"]
    static let name = ["name", "part", "joint", "jointName", "key", "identifier"]
    static let place = ["location", "position", "point"]
    /// The suffix of Vision's own names of joints, such as `left_upLeg_joint`; its y points up.
    static let visionSuffix = "_joint"
    /// The lists and objects of a document that hold frames.
    static let frames = ["", "instance_info", "frames", "results", "data", "poses", "predictions"]
}

/// The numbers of a person's joints: flat, or those of each joint.
private struct JointNumbers {
    private(set) var rows: [[Float]] = []
    private(set) var isFlat = false
    /// Whether third numbers have no name.
    private(set) var isRaw = true
    /// The joint of each row; empty if their order says which they are.
    private(set) var keys: [JointKey?] = []
    /// Whether the names are those of Apple's Vision.
    private(set) var isVisions = false

    /// Reads a flat list, a list per joint or coordinate, or an object per joint; nil for anything else.
    init?(_ value: JSONValue) {
        if let flat = value.numbers {
            (rows, isFlat) = (flat.isEmpty ? [] : [flat], true)
        } else if let elements = value.elements {
            if elements.allSatisfy({ $0.elements != nil }) {
                rows = elements.compactMap(\.numbers)
                guard rows.count == elements.count else { return nil }
            } else {
                guard add(objects: elements) else { return nil }
                let names = elements.map { $0[RecordNames.name]?.text ?? "" }
                setKeys(names)
                if keys.count(where: { $0 != nil }) < Self.fewestNames { keys = [] }
            }
        } else if let members = value.members {
            if let x = members["x"]?.numbers, let y = members["y"]?.numbers {
                isRaw = false
                let sure = value[RecordNames.certainty]?.numbers
                guard x.count == y.count, sure.map({ $0.count == x.count }) ?? true else { return nil }
                rows = x.indices.map { index in [x[index], y[index]] + (sure.map { [$0[index]] } ?? []) }
            } else if let inner = value[RecordNames.joints] {
                guard let joints = JointNumbers(inner) else { return nil }
                self = joints
            } else {
                guard add(named: members) else { return nil }
            }
        } else {
            return nil
        }
    }

    /// Three joints make a body: an arm has as many.
    private static let fewestNames = 3

    private mutating func setKeys(_ names: [String]) {
        keys = names.map { JointNames.joint($0) }
        isVisions = names.contains { $0.hasSuffix(RecordNames.visionSuffix) }
    }

    /// Adds joints by name (`"nose": [x, y, confidence]` or an object), or by number.
    private mutating func add(named members: [String: JSONValue]) -> Bool {
        var names = members.keys.filter { JointNames.joint($0) != nil }.sorted()
        let isNumbered = names.count < Self.fewestNames
        if isNumbered { names = members.keys.filter { Int($0) != nil }.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) } }
        guard names.count >= Self.fewestNames, !isNumbered || names.count == members.count else { return false }
        let values = names.compactMap { members[$0] }
        let lists = values.compactMap(\.numbers)
        if lists.count == values.count {
            guard lists.allSatisfy({ (2...5).contains($0.count) }) else { return false }
            rows = lists
        } else {
            guard add(objects: values) else { return false }
        }
        if !isNumbered { setKeys(names) }
        return true
    }

    /// Adds a joint per object, with x and y in it or in its place; nothing is a joint that was not seen.
    private mutating func add(objects: [JSONValue]) -> Bool {
        isRaw = false
        let isSure = objects.contains { $0[RecordNames.certainty] != nil }
        for object in objects {
            let place = object[RecordNames.place] ?? object
            let list = place.numbers ?? []
            let x = list.first ?? place[["x"]]?.number ?? .nan
            let y = list.dropFirst().first ?? place[["y"]]?.number ?? .nan
            guard object.members != nil || object.number?.isNaN == true else { return false }
            rows.append([x, y] + (isSure ? [object[RecordNames.certainty]?.number ?? 0] : []))
        }
        // Objects without any place are something else, such as people.
        return objects.isEmpty || rows.contains { !$0[0].isNaN }
            || objects.contains { $0.members?.keys.contains("x") == true }
    }

    /// The rows in the order of these joints; NaN for those that are not there.
    func rows(of joints: [JointKey?]) -> [[Float]] {
        let absent = [Float](repeating: .nan, count: rows.first?.count ?? 2)
        return joints.map { joint in keys.firstIndex(of: joint).map { rows[$0] } ?? absent }
    }
}

/// A person in a frame in other programs' JSON.
private struct PersonRecord {
    let joints: JointNumbers
    private(set) var scores: [Float]?
    private(set) var person, number: Int?
    private(set) var confidence: Float = 1
    private(set) var isOfPicture = false

    /// An object with joints, or the joints themselves; nil for anything else.
    init?(_ value: JSONValue) {
        guard let joints = JointNumbers(value[RecordNames.joints] ?? value) else { return nil }
        self.joints = joints
        guard value.members != nil else { return }
        scores = value[RecordNames.scores]?.elements?.map { $0.number ?? .nan }
        person = RecordNames.person.lazy.compactMap { value[[$0]]?.whole }.first
        number = value[RecordNames.frame]?.whole
        confidence = RecordNames.confidence.lazy.compactMap { value[[$0]]?.number }.first ?? 1
        isOfPicture = value[RecordNames.picture] != nil
    }
}

/// A frame with everyone in it in other programs' JSON.
private struct FrameRecord {
    private(set) var people: [PersonRecord] = []
    private(set) var isCrowd = false
    private(set) var number: Int?
    /// Whether y points up, as Apple's Vision has it.
    private(set) var isVisions = false

    /// A list of people, an object with one, or joints in a list per person; nil for anything else.
    init?(_ value: JSONValue) {
        let list: [JSONValue]
        if let elements = value.elements {
            // A list of joints is one person.
            let isJoint = elements.first.map { $0[["x"]] != nil || (2...5).contains($0.numbers?.count ?? 0) } ?? false
            list = isJoint ? [value] : elements
            guard list.allSatisfy({ $0.members != nil || JointNumbers($0) != nil }) else { return nil }
        } else if let name = RecordNames.people.first(where: { value[[$0]]?.elements != nil }) {
            // mmpose's predictions have a list of people for each picture.
            list = (value[[name]]?.elements ?? []).flatMap { one in
                one.elements.flatMap { $0.first?[RecordNames.joints] == nil ? nil : $0 } ?? [one]
            }
            isVisions = name == "observations"
        } else if let elements = value[RecordNames.joints]?.elements, !elements.isEmpty,
            elements.allSatisfy({ $0.elements?.allSatisfy { $0.members != nil } ?? false })
        {
            list = elements
        } else {
            return nil
        }
        number = value[RecordNames.frame]?.whole
        isCrowd = list.count > PoseTable.maximumPeople
        guard !isCrowd else { return }
        people = list.compactMap { PersonRecord($0) }.filter { !$0.joints.rows.isEmpty }
    }
}

/// Reads people in JSON: results of Ultralytics, mmpose, MediaPipe, TensorFlow, OpenPose, AlphaPose and Apple's Vision, and
/// joints by their names.
struct RecordReader {
    private let limits: PoseFileLimits
    private let file: String
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

    init(_ limits: PoseFileLimits, file: String) { (self.limits, self.file) = (limits, file) }

    private func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: file) }

    /// Whether a text is a frame of people or a person of another program: a line of Kinema, even if damaged, has a time and
    /// lists by name.
    static func isRecord(_ text: some Collection<UInt8>) -> Bool {
        guard let value = JSONValue(text) else { return false }
        let joints = value[["people"]]?.elements?.first?[["keypoints"]]?.members?.values
        if value[["time"]] != nil, joints?.allSatisfy({ $0.elements != nil }) == true { return false }
        return FrameRecord(value) != nil || PersonRecord(value) != nil
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

    /// Reads a list of frames or of people, an object with a frame per member, or one frame.
    static func list(_ bytes: [UInt8], _ limits: PoseFileLimits, file: String) throws(KinemaError) -> PoseTable {
        var reader = RecordReader(limits, file: file)
        try reader.add(document: bytes, isInner: false)
        return try reader.whole()
    }

    private mutating func add(document bytes: [UInt8], isInner: Bool) throws(KinemaError) {
        var elements = JSONElements(bytes)
        do {
            while let (member, element) = try elements.next() {
                guard element.count <= limits.lineBytes else {
                    throw broken("has an element of more than \(limits.lineBytes >> 20) MB")
                }
                if !member.isEmpty, count == 0, (RecordNames.people + RecordNames.joints).contains(member),
                    bytes.count <= limits.lineBytes, try add(bytes[...], isLine: true)
                {
                    return
                }
                let number = elements.isMember ? FrameNumber.last(in: member) : nil
                if try add(element, isLine: elements.isMember, number: number) { continue }
                if elements.isMember, !isInner, RecordNames.frames.contains(member) {
                    try add(document: Array(element), isInner: true)
                } else if !elements.isMember, RecordNames.frames.contains(member) {
                    throw broken("element \(count) is not a frame of people")
                }
            }
            if count == 0, bytes.count <= limits.lineBytes { _ = try add(bytes[...], isLine: true) }
        } catch let error as KinemaError {
            throw error
        } catch {
            throw broken("is not a list of frames of people, or is cut short")
        }
    }

    /// Adds a frame or a person; returns false for anything else. `number` is the frame's, if what surrounds it has one.
    mutating func add(
        _ text: ArraySlice<UInt8>, isLine: Bool, number: Int? = nil
    ) throws(KinemaError) -> Bool {
        guard count < limits.frames else { throw broken("has more than \(limits.frames) frames; split it") }
        guard let value = JSONValue(text) else { return false }
        if let frame = FrameRecord(value) {
            try begin(frame.number ?? number, time(of: value), frame, isNamed: number != nil)
            return true
        }
        let time = time(of: value)
        guard let person = PersonRecord(value) else {
            // A frame of nobody.
            let isFrame = RecordNames.frame + RecordNames.joints + RecordNames.people
            guard let members = value.members, isFrame.contains(where: { members[$0] != nil }) else { return false }
            try begin(value[RecordNames.frame]?.whole ?? number, time, nil, isNamed: number != nil)
            return true
        }
        let stated = person.number ?? number
        let isNew = stated.map { $0 != self.stated } ?? !(gathers && !isLine)
        if isNew || count == 0 { try begin(stated, time, nil, isNamed: number != nil) }
        try add(person, isVisions: false)
        gathers = stated == nil && person.isOfPicture
        return true
    }

    /// The time that a record states under any name that `TimeColumn` knows; of several, the first by its name.
    private mutating func time(of value: JSONValue) -> Double? {
        let columns = value.members?.keys.sorted().compactMap { TimeColumn($0) } ?? []
        for var column in columns.filter({ !$0.isLoose }) + columns.filter(\.isLoose) {
            guard let stated = value[[column.name]] else { continue }
            defer { times = column }
            switch stated {
            case .number(let time): return time
            case .text(let text):
                guard let time = TimeColumn.seconds(of: text) else { continue }
                column.isClock = true
                return time
            default:
                // Apple's CMTime.
                guard let ticks = stated[["value"]]?.double, let scale = stated[["timescale"]]?.double else { continue }
                return ticks / scale
            }
        }
        return nil
    }

    /// Begins a frame; those that are named by what surrounds them may come in any order.
    private mutating func begin(
        _ number: Int?, _ time: Double?, _ everyone: FrameRecord?, isNamed: Bool
    ) throws(KinemaError) {
        let frame = PoseTable.Frame(number: number ?? count, time: time)
        if let last, frame.number <= last, !isNamed {
            throw broken("goes back from frame \(last) to \(frame.number); put each recording into its own file")
        }
        guard everyone?.isCrowd != true else {
            throw broken("frame \(frame.number) has more than \(PoseTable.maximumPeople) people")
        }
        if table == nil { early.append(frame) } else { try table?.append(frame) }
        (count, last, stated) = (count + 1, frame.number, number)
        for person in everyone?.people ?? [] { try add(person, isVisions: everyone?.isVisions == true) }
    }

    /// Adds a person to the last frame.
    private mutating func add(_ person: PersonRecord, isVisions: Bool) throws(KinemaError) {
        let joints = person.joints
        guard !joints.rows.isEmpty else { return }
        if table == nil {
            known = try layout(joints)
            let isUp = joints.isVisions || isVisions
            var table = PoseTable(
                known.keys, isUp ? .shares : .pixels, order: known.order,
                hasRawThird: joints.isRaw && person.scores == nil && !isUp, limits: limits, file: file)
            for frame in early { try table.append(frame) }
            (self.table, early) = (table, [])
        }
        let points = try points(of: joints, person.scores, known, at: last ?? 0)
        try table?.append(points, id: person.person, confidence: person.confidence, to: count - 1)
    }

    /// The table; without people that of `order`, if it is given.
    func whole(of order: JointOrder? = nil) throws(KinemaError) -> PoseTable {
        var table = table
        if table == nil, let order, count > 0 {
            table = PoseTable(order.keys, .pixels, order: order, limits: limits, file: file)
            for frame in early { try table?.append(frame) }
        }
        guard var table else {
            throw broken(
                count > 0
                    ? "contains no keypoints of people"
                    : "is not a list of frames of joints or people, a table, or a file of COCO's keypoints")
        }
        table.times = times
        return table
    }

    private typealias Layout = (keys: [JointKey?], order: JointOrder?, each: Int)

    private func layout(_ joints: JointNumbers) throws(KinemaError) -> Layout {
        // Those that are seen later may not be in the first frame.
        if !joints.keys.isEmpty { return (BodySkeleton.joints, nil, 0) }
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
        of joints: JointNumbers, _ scores: [Float]?, _ layout: Layout, at frame: Int
    ) throws(KinemaError) -> [SIMD3<Float>] {
        var rows = joints.keys.isEmpty ? joints.rows : joints.rows(of: layout.keys)
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
            let sure = scores.map { $0[index] } ?? (row.count == 2 ? 1 : row[row.count == 3 ? 2 : 3])
            // Ultralytics moves uncertain joints to 0, 0.
            return SIMD3(row[0], row[1], row[0] == 0 && row[1] == 0 || sure.isNaN ? 0 : sure)
        }
    }
}
