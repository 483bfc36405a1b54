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
