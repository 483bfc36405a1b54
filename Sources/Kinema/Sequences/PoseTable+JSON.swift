import Foundation
import KinemaCore

/// The elements of the lists in a JSON text, found by their brackets, so that only one at a time is parsed.
///
/// The text is a list, or an object whose members include lists; what is in no list is passed over.
struct JSONElements {
    /// The text is no JSON, or is cut short.
    struct Invalid: Error {}

    private let bytes: [UInt8]
    private var index = 0
    /// The member whose list is being read; empty for a text that is one list.
    private var member: String?
    private var isObject = false
    private var isStarted = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether every bracket and text that begins in a text ends there, as in one that was not cut off.
    static func isWhole(_ text: some Sequence<UInt8>) -> Bool {
        var (depth, isQuoted, isEscaped) = (0, false, false)
        for byte in text {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += isQuoted ? 0 : 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= isQuoted ? 0 : 1
            default: break
            }
        }
        return depth == 0 && !isQuoted
    }

    /// The next element and the member whose list it is in; nil after the last.
    mutating func next() throws(Invalid) -> (member: String, element: ArraySlice<UInt8>)? {
        if !isStarted { try start() }
        while true {
            skipSpace(and: UInt8(ascii: ","))
            guard index < bytes.count else { throw Invalid() }
            if let name = member {
                if bytes[index] == UInt8(ascii: "]") {
                    (member, index) = (nil, index + 1)
                    if !isObject { return nil }
                    continue
                }
                let start = index
                try skipValue()
                return (name, bytes[start..<index])
            }
            if bytes[index] == UInt8(ascii: "}") { return nil }
            try enterMember()
        }
    }

    private mutating func start() throws(Invalid) {
        isStarted = true
        skipSpace()
        guard index < bytes.count else { throw Invalid() }
        switch bytes[index] {
        case UInt8(ascii: "["): member = ""
        case UInt8(ascii: "{"): isObject = true
        default: throw Invalid()
        }
        index += 1
    }

    /// Reads a member's name and goes into its list, or passes over its value if that is none.
    private mutating func enterMember() throws(Invalid) {
        let start = index
        guard bytes[index] == UInt8(ascii: "\"") else { throw Invalid() }
        try skipString()
        let name = String(decoding: bytes[(start + 1)..<(index - 1)], as: UTF8.self)
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { throw Invalid() }
        index += 1
        skipSpace()
        guard index < bytes.count else { throw Invalid() }
        if bytes[index] == UInt8(ascii: "[") {
            (member, index) = (name, index + 1)
        } else {
            try skipValue()
        }
    }

    private mutating func skipSpace(and comma: UInt8 = 32) {
        while index < bytes.count, [32, 9, 10, 13, comma].contains(bytes[index]) { index += 1 }
    }

    private mutating func skipString() throws(Invalid) {
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else { throw Invalid() }
        index += 1
    }

    private mutating func skipValue() throws(Invalid) {
        var depth = 0
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "["), UInt8(ascii: "{"): (depth, index) = (depth + 1, index + 1)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { break }
                (depth, index) = (depth - 1, index + 1)
            case UInt8(ascii: ",") where depth == 0: break
            default:
                index += 1
                continue
            }
            if depth == 0 {
                guard index > start else { throw Invalid() }
                return
            }
        }
        throw Invalid()
    }
}

/// The picture an annotation is of: COCO's number, or the file name that other programs write.
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

/// A person's number: whole, or as a fraction or in a list of one, as AlphaPose has it.
struct PersonNumber: Decodable {
    let value: Int?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try? container.decode(Double.self)
        value = (number ?? (try? container.decode([Double].self))?.first).flatMap { Int(exactly: $0) }
    }
}

/// The number of a frame in a file's name.
enum FrameNumber {
    /// The last number in a name: 12 of `run2_000000000012_keypoints.json`.
    static func last(in name: String) -> Int? {
        let digits = name.reversed().drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
        return Int(String(digits.reversed().suffix(18)))
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
        var track_id, idx: PersonNumber?

        func points(flags: Bool) -> [SIMD3<Float>] {
            let keypoints = keypoints ?? []
            return stride(from: 0, to: keypoints.count - 2, by: 3).map { index in
                let third = keypoints[index + 2]
                return SIMD3(keypoints[index], keypoints[index + 1], flags ? flagConfidences[Int(third)] : third)
            }
        }
    }

    /// What a file of COCO's keypoints holds, in the order in which it is read.
    private struct COCOFile {
        var pictures: [Picture] = []
        /// Those with keypoints, cut to COCO's 17 joints.
        var annotations: [Annotation] = []
        /// Whether it is a list of results, without pictures.
        var isList = false
        /// Whether every third number is a flag: 0, 1 or 2 for not there, hidden, in sight.
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
                        "annotation \(count) has \(keypoints.count) numbers; x, y and flag of COCO's 17 joints are 51")
                }
                hasFlags = hasFlags && stride(from: 2, to: 51, by: 3).allSatisfy { [0, 1, 2].contains(keypoints[$0]) }
                isList = isList || member.isEmpty
                annotation.keypoints = Array(keypoints.prefix(51))
                annotations.append(annotation)
            default: break
            }
        }
    }

    /// Reads COCO's keypoints: a file with images and annotations, or a list of results as trackers write it.
    ///
    /// `isList` says which of the two it was.
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
            }
        } catch var error as KinemaError {
            error.file = file
            throw error
        } catch {
            throw broken("is not a list of frames of joints nor a file of COCO's keypoints, or is cut short")
        }
        guard !read.pictures.isEmpty || read.isList else {
            throw broken("is not a list of frames of joints nor a file of COCO's keypoints")
        }
        var table = PoseTable(
            COCOExport.joints, .pixels, order: .coco17, hasRawThird: !read.hasFlags, limits: limits, file: file)
        var indices: [Int: Int] = [:]
        for picture in read.pictures {
            let number = picture.id.number
            guard indices.updateValue(table.frames.count, forKey: number) == nil else {
                throw broken("has two images of the number \(number)")
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
                annotation.points(flags: read.hasFlags), id: annotation.track_id?.value ?? annotation.idx?.value,
                confidence: annotation.score ?? 1, to: indices[number] ?? 0)
        }
        return (table, read.isList)
    }

    /// Numbers of COCO's 17 joints, and of the orders of 26, 133 and 136 that begin with them.
    private static let cocoLengths = [51, 78, 399, 408]
    /// What a joint's flag says of it: hidden ones are guesses.
    private static let flagConfidences: [Float] = [0, 0.4, 1]

    private struct OpenPoseFrame: Decodable {
        struct Person: Decodable {
            var person_id: [Int]?
            var pose_keypoints_2d: [Float]
        }
        var people: [Person]
    }

    /// Reads a folder of OpenPose's files, one a frame, named by the frame's number: `NAME_000000000000_keypoints.json`.
    static func openPose(_ folder: URL, _ limits: PoseFileLimits) throws(KinemaError) -> PoseTable {
        func broken(_ what: String, _ file: String? = nil) -> KinemaError {
            KinemaError(.unreadableInput, what, file: file ?? folder.path)
        }
        let files = try numberedFiles(in: folder, limits, isOpenPose)
        guard !files.isEmpty else { throw broken("holds no files of OpenPose (NAME_000000000000_keypoints.json)") }
        let decoder = JSONDecoder()
        var frames: [(number: Int, people: [OpenPoseFrame.Person])] = []
        var total = 0
        for (number, file) in files {
            let bytes = try BoundedFile.read(file, limit: limits.lineBytes, excess: "a frame has fewer")
            total += bytes.count
            guard total <= limits.bytes else { throw broken("is larger than \(limits.bytes >> 20) MB; split it") }
            guard let frame = try? decoder.decode(OpenPoseFrame.self, from: Data(bytes)) else {
                throw broken("is no file of OpenPose, or is cut short", file.path)
            }
            frames.append((number, frame.people.filter { !$0.pose_keypoints_2d.isEmpty }))
        }
        // The first person says which joints there are.
        let count = frames.lazy.flatMap(\.people).first?.pose_keypoints_2d.count ?? 75
        guard let order = JointOrder(joints: count / 3, of: .body), count % 3 == 0, order != .blazePose33 else {
            throw broken("has a person of \(count) numbers; x, y and confidence of 25, 18 or 17 joints can be read")
        }
        var table = PoseTable(
            order.keys, .pixels, order: order, hasRawThird: true, limits: limits, file: folder.path)
        for (index, frame) in frames.enumerated() {
            try table.append(Frame(number: frame.number))
            for person in frame.people {
                let values = person.pose_keypoints_2d
                guard values.count == count else {
                    throw broken(
                        "has a person of \(values.count) numbers in frame \(frame.number), and others of \(count)")
                }
                let points = stride(from: 0, to: count, by: 3).map {
                    SIMD3(values[$0], values[$0 + 1], values[$0 + 2])
                }
                let id = person.person_id?.first.flatMap { $0 < 0 ? nil : $0 }
                try table.append(points, id: id, to: index)
            }
        }
        return table
    }

    /// The files in a folder whose names are wanted, in the order of the number in them, which is the frame's.
    static func numberedFiles(
        in folder: URL, _ limits: PoseFileLimits, _ isWanted: (String) -> Bool
    ) throws(KinemaError) -> [(number: Int, url: URL)] {
        func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: folder.path) }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter(isWanted)
        } catch {
            throw broken("cannot be opened")
        }
        guard names.count <= limits.frames else { throw broken("has more than \(limits.frames) frames; split it") }
        let files = names.compactMap { name in FrameNumber.last(in: name).map { (number: $0, name: name) } }
            .sorted { ($0.number, $0.name) < ($1.number, $1.name) }
        for (file, next) in zip(files, files.dropFirst()) where file.number == next.number {
            throw broken("holds two files of frame \(file.number); give each recording a folder of its own")
        }
        return files.map { ($0.number, folder.appending(path: $0.name)) }
    }

    /// Whether a folder holds such files.
    static func isOpenPose(_ folder: URL) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.contains(where: isOpenPose) ?? false
    }

    private static func isOpenPose(_ name: String) -> Bool { name.hasSuffix("_keypoints.json") && !name.hasPrefix(".") }
}
