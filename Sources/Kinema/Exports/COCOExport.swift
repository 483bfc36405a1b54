import Foundation
import KinemaCore

/// COCO keypoints: pixels, origin at the top left, 17 joints, one annotation per person and frame.
struct COCOExport: PoseExport {
    static let joints = COCOJoints.all
    private static let names = joints.map { $0.rawValue.replacing(/[A-Z]/) { "_" + $0.output.lowercased() } }
    /// COCO's bones, numbered from 1.
    private static let bones = [
        (16, 14), (14, 12), (17, 15), (15, 13), (12, 13), (6, 12), (7, 13), (6, 7), (6, 8), (7, 9), (8, 10), (9, 11),
        (2, 3), (1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7),
    ]

    let url: URL
    /// The name of the source if it is a picture; nil for a video.
    private let picture: String?
    private var images = JSONText()
    private var annotations = JSONText()
    private var annotationCount = 0

    init(url: URL, source: String) {
        let file = URL(filePath: source)
        let isPicture = ["bmp", "jpeg", "jpg", "png", "tif", "tiff", "webp"].contains(file.pathExtension.lowercased())
        (self.url, picture) = (url, isPicture ? file.lastPathComponent : nil)
    }

    mutating func add(_ frame: ExportedFrame) {
        // A picture keeps its name. Every frame of a video needs a name, the one that CVAT gives it, since readers of
        // COCO identify images by their names.
        let name = picture ?? String(format: "frame_%06d.png", frame.index)
        images.object { json in
            json.field("id", frame.index)
            json.field("width", frame.width)
            json.field("height", frame.height)
            json.field("file_name", name)
            json.field("time", frame.time, decimals: 6)
        }
        for pose in frame.poses {
            annotationCount += 1
            write(pose, frame)
        }
    }

    consuming func finish() throws {
        var text = Array("{\"info\":{\"description\":\"Poses by Kinema\"},\"images\":[".utf8)
        text += images.bytes
        text += Array("],\"annotations\":[".utf8) + annotations.bytes + Array("],\"categories\":[".utf8)
        var category = JSONText()
        category.object { json in
            json.field("id", 1)
            json.field("name", "person")
            json.field("keypoints", strings: Self.names)
            json.array("skeleton") { list in
                for (from, to) in Self.bones { list.numbers([Double(from), Double(to)], decimals: 0) }
            }
        }
        try AtomicFile.write(text + category.bytes + Array("]}\n".utf8), to: url)
    }

    private mutating func write(_ pose: Pose, _ frame: ExportedFrame) {
        let points = Self.joints.map { pose.keypoints[$0].flatMap { Self.visible($0, frame) } }
        let found = points.compactMap(\.self)
        let (left, right) = (found.map(\.x).min() ?? 0, found.map(\.x).max() ?? 0)
        let (top, bottom) = (found.map(\.y).min() ?? 0, found.map(\.y).max() ?? 0)
        annotations.object { json in
            json.field("id", annotationCount)
            json.field("image_id", frame.index)
            json.field("category_id", 1)
            json.array("keypoints") { list in
                for point in points {
                    list.number(point?.x ?? 0, decimals: 2)
                    list.number(point?.y ?? 0, decimals: 2)
                    list.integer(point?.flag ?? 0)
                }
            }
            json.field("num_keypoints", found.count)
            json.field("bbox", numbers: [left, top, right - left, bottom - top], decimals: 2)
            json.field("area", (right - left) * (bottom - top), decimals: 2)
            json.field("iscrowd", 0)
            json.field("score", Double(pose.confidence), decimals: 4)
            if let id = pose.id { json.field("track_id", id) }
        }
    }

    /// Pixels and COCO's flag: 2 visible, 1 occluded; nil if the joint is outside the picture.
    private static func visible(_ joint: JointPoint, _ frame: ExportedFrame) -> (x: Double, y: Double, flag: Int)? {
        let (x, y) = (joint.location.x, 1 - joint.location.y)
        guard x >= 0, y >= 0, x <= 1, y <= 1 else { return nil }
        return (x * Double(frame.width), y * Double(frame.height), joint.confidence >= 0.5 ? 2 : 1)
    }
}
