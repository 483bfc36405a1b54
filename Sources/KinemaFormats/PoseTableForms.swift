import Foundation
import KinemaCore

/// The picture of an annotation: COCO's number, or the file name that other programs write.
private struct PictureName: Decodable {
    let number: Int

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int.self) {
            self.number = number
        } else {
            let name = try value.decode(String.self)
            guard let number = FrameNumber.last(in: name) else {
                throw DecodingError.dataCorruptedError(in: value, debugDescription: "no number")
            }
            self.number = number
        }
    }
}

extension PoseTable {
    private struct Picture: Decodable {
        var id: PictureName
        var width, height: Int?
        var time: Double?
    }

    private struct Annotation: Decodable {
        var image_id: PictureName
        var keypoints: [Float]?
        var score: Float?
        var track_id, idx: JSONValue?

        func points(flags: Bool) -> [SIMD3<Float>] {
            let keypoints = keypoints ?? []
            return stride(from: 0, to: keypoints.count - 2, by: 3).map { index in
                let third = keypoints[index + 2]
                return SIMD3(keypoints[index], keypoints[index + 1], flags ? flagConfidences[Int(third)] : third)
            }
        }
    }

    /// The content of a COCO keypoint file, in reading order.
    private struct COCOFile {
        var pictures: [Picture] = []
        /// Those with keypoints, cut to COCO's 17 joints.
        var annotations: [Annotation] = []
        /// Whether it is a list of results, without pictures.
        var isList = false
        /// Whether every third number is a flag: 0, 1 or 2 for absent, hidden, visible.
        var hasFlags = true
        private var count = 0
        private let decoder = JSONDecoder()

        mutating func add(_ element: ArraySlice<UInt8>, of member: String) throws {
            switch member {
            case "images": pictures.append(try decoder.decode(Picture.self, from: Data(element)))
            case "annotations", "":
                var annotation = try decoder.decode(Annotation.self, from: Data(element))
                count += 1
                guard let keypoints = annotation.keypoints, !keypoints.isEmpty else { return }
                guard cocoLengths.contains(keypoints.count) else {
                    throw KinemaError(
                        .unreadableInput,
                        "annotation \(count) has \(keypoints.count) numbers; COCO's 17 joints need 51")
                }
                hasFlags = hasFlags && stride(from: 2, to: 51, by: 3).allSatisfy { [0, 1, 2].contains(keypoints[$0]) }
                isList = isList || member.isEmpty
                annotation.keypoints = Array(keypoints.prefix(51))
                annotations.append(annotation)
            default: break
            }
        }
    }

    /// Whether a document holds COCO's annotations or results.
    static func isCOCO(_ bytes: [UInt8]) -> Bool {
        let head = Data(bytes.prefix(1 << 16))
        return ["image_id", "images", "annotations"].contains { head.range(of: Data("\"\($0)\"".utf8)) != nil }
    }

    /// Reads COCO's keypoints: a file with images and annotations, or a list of results if `isList`.
    static func coco(
        _ bytes: [UInt8], _ limits: PoseFileLimits, file: String
    ) throws(KinemaError) -> (table: PoseTable, isList: Bool) {
        func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: file) }
        var read = COCOFile()
        var elements = JSONElements(bytes)
        do {
            while let (member, element) = try elements.next() {
                guard element.count <= limits.lineBytes else {
                    throw broken("has an element of more than \(limits.lineBytes >> 20) MB")
                }
                try read.add(element, of: member)
                guard read.pictures.count <= limits.frames else {
                    throw broken("has more than \(limits.frames) frames; split it")
                }
            }
        } catch var error as KinemaError {
            error.file = file
            throw error
        } catch {
            throw broken("is not a list of frames of joints or a file of COCO's keypoints, or is cut short")
        }
        guard !read.pictures.isEmpty || read.isList else {
            throw broken("is not a list of frames of joints or a file of COCO's keypoints")
        }
        var table = PoseTable(
            COCOExport.joints, .pixels, order: .coco17, hasRawThird: !read.hasFlags, limits: limits, file: file)
        var indices: [Int: Int] = [:]
        for picture in read.pictures {
            let number = picture.id.number
            guard indices.updateValue(table.frames.count, forKey: number) == nil else {
                throw broken("has two images with the number \(number)")
            }
            try table.append(
                Frame(number: number, time: picture.time, width: picture.width ?? 0, height: picture.height ?? 0))
        }
        for annotation in read.annotations {
            let number = annotation.image_id.number
            if indices[number] == nil {
                guard read.isList else {
                    throw broken("has an annotation of image \(number), which is not in its list")
                }
                indices[number] = table.frames.count
                try table.append(Frame(number: number))
            }
            try table.append(
                annotation.points(flags: read.hasFlags), id: annotation.track_id?.whole ?? annotation.idx?.whole,
                confidence: annotation.score ?? 1, to: indices[number] ?? 0)
        }
        return (table, read.isList)
    }

    /// The counts of numbers for COCO's 17 joints, and for the orders of 26, 133 and 136 that begin with them.
    private static let cocoLengths = [51, 78, 399, 408]
    /// The confidence of each visibility flag; hidden joints are guesses.
    private static let flagConfidences: [Float] = [0, 0.4, 1]
}

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

extension PoseTable {
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
        var columns: [String: Int] = [:]
        var markers: [(key: JointKey, columns: [Int])] = []
        for (column, name) in head[3].enumerated() {
            let bare = name.split(separator: ":").last.map { $0.uppercased() } ?? ""
            if columns[bare] == nil { columns[bare] = column }
            if let key = JointNames.joint(name) { markers.append((key, [column])) }
        }
        for (key, names) in JointNames.between where !markers.contains(where: { $0.key == key }) {
            let found = names.compactMap { columns[$0] }
            if !found.isEmpty { markers.append((key, found)) }
        }
        let pelvis = markers.contains { $0.key == .leftHip } ? nil : PelvisMarkers(columns)
        let keys = markers.map(\.key) + (pelvis == nil ? [] : [.leftHip, .rightHip])
        guard markers.count >= 3 else { throw broken("has no markers of joints, such as RKnee and LHip") }
        var table = PoseTable(keys, .space, limits: limits, file: file)
        var standing = StandingAxis(keys)
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
            func place(_ columns: [Int]) -> SIMD3<Float> {
                let sum = columns.reduce(into: SIMD3<Float>.zero) { sum, column in
                    for axis in 0..<3 {
                        sum[axis] += row.indices.contains(column + axis) ? Float(row[column + axis]) ?? .nan : .nan
                    }
                }
                return sum * unit / Float(columns.count)
            }
            let places = markers.map { place($0.columns) } + (pelvis?.hips(place) ?? [])
            standing.add(places, hasDepth: true)
            let points = places.map { SIMD3($0.x, $0.y, $0.x.isFinite && $0.y.isFinite && $0.z.isFinite ? 1 : 0) }
            try table.append(points, in: places, id: 1, to: table.frames.count - 1)
        }
        table.turn(standing.turn(hasDepth: true, isUpwards: true))
        return table
    }
}

/// The markers of a pelvis, from which its hips follow.
private struct PelvisMarkers {
    private let left, right: Int
    /// Those of the back: two, or one on the sacrum.
    private let back: [Int]

    /// Finds the markers of Plug-in Gait; nil without both of the front and one of the back.
    init?(_ columns: [String: Int]) {
        back = ["LPSI", "RPSI"].compactMap { columns[$0] } + ["SACR"].compactMap { columns[$0] }
        guard let left = columns["LASI"], let right = columns["RASI"], !back.isEmpty else { return nil }
        (self.left, self.right) = (left, right)
    }

    /// The left and the right hip joint: 14 % of the distance between the front markers inwards of each, 22 % back and 30 %
    /// down (Bell, Pedersen and Brand 1990, J Biomech 23).
    func hips(_ place: ([Int]) -> SIMD3<Float>) -> [SIMD3<Float>] {
        let (one, other) = (place([left]), place([right]))
        let middle = (one + other) / 2
        let across = other - one
        let width = (across * across).sum().squareRoot()
        var forwards = middle - place(back)
        forwards -= across * ((forwards * across).sum() / (width * width))
        forwards *= width / (forwards * forwards).sum().squareRoot()
        // Rightwards times forwards is upwards.
        let (a, b) = (across / width, forwards)
        let up = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        let base = middle - 0.22 * forwards - 0.3 * up
        return [base - 0.36 * across, base + 0.36 * across]
    }
}

extension PoseTable {
    /// Reads a folder of OpenPose's files, one per frame, named by frame number: `NAME_000000000000_keypoints.json`.
    static func openPose(_ folder: URL, _ limits: PoseFileLimits) throws(KinemaError) -> PoseTable {
        var reader = RecordReader(limits, file: folder.path)
        try FrameFiles.forEach(in: folder, limits, isOpenPose) { (number, file, bytes) throws(KinemaError) in
            guard try reader.add(bytes[...], isLine: true, number: number) else {
                throw KinemaError(.unreadableInput, "is not an OpenPose file, or is cut short", file: file.path)
            }
        }
        return try reader.whole(of: .body25)
    }

    static func isOpenPose(_ folder: URL) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.contains(where: isOpenPose) ?? false
    }

    private static func isOpenPose(_ name: String) -> Bool { name.hasSuffix("_keypoints.json") && !name.hasPrefix(".") }
}
