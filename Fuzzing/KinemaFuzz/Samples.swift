@testable import KinemaFormats
import Foundation
@testable import Kinema
import KinemaCore

/// Small files of each kind, made by Kinema's own writers where they exist.
enum Samples {
    private static func pose(_ frame: Int, _ joints: [JointKey]) -> Pose {
        var points: [JointKey: JointPoint] = [:]
        for (index, key) in joints.enumerated() {
            let place = CGPoint(x: 0.3 + 0.01 * Double(index), y: 0.2 + 0.02 * Double(index + frame))
            points[key] = JointPoint(key, location: place, confidence: 0.9)
        }
        return Pose(from: points, keypoints3D: [:], id: 1, confidence: 0.9)
    }

    /// Lines of `kinema pose`.
    static func lines(frames: Int, hands: Bool = false) -> [UInt8] {
        var text = JSONText()
        for index in 0..<frames {
            let body = pose(index, Array(BodySkeleton.joints.prefix(8)))
            let hand = HumanHandPoseObservation(pose(index, HandSkeleton.joints), chirality: .left)
            text.frame(
                ExportedFrame(
                    index: index, time: Double(index) / 30, width: 640, height: 480, poses: [body],
                    hands: hands ? [hand] : []))
            text.newline()
        }
        return Array(text.bytes)
    }

    private static func row(_ joints: Int, _ frame: Int) -> [String] {
        (0..<joints).flatMap { ["\(0.1 + 0.01 * Double($0 + frame))", "\(0.02 * Double($0))", "0.5"] }
    }

    /// A table of x, y and confidence.
    static func table(joints: Int, rows: Int) -> [UInt8] {
        let lines = (0..<rows).map { row(joints, $0).joined(separator: ",") }
        return Array((["x0,y0,c0"] + lines).joined(separator: "\n").utf8)
    }

    /// A list of frames of joints.
    static func list(joints: Int, frames: Int) -> [UInt8] {
        let all = (0..<frames).map { frame in
            (0..<joints).map { joint in [0.1 + 0.01 * Double(joint + frame), 0.02 * Double(joint), 0.5] as [Double] }
        }
        return Array("\(all)".utf8)
    }

    /// A NumPy array of this type and shape, with rising bytes as its numbers.
    static func array(_ type: String, _ shape: [Int], _ width: Int) -> [UInt8] {
        let dimensions = shape.map(String.init).joined(separator: ", ")
        let header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(dimensions)), }\n"
        let count = shape.reduce(width, *)
        let numbers = (0..<count).map { $0 % 4 == 3 ? UInt8(0x3E) : UInt8($0 % 64) }
        let magic: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0]
        return magic + Array(header.utf8) + numbers
    }

    /// A table with named columns, of two people.
    static let namedTable = Array(
        """
        frame,time,id,nose_x,nose_y,nose_visibility,LEFT_HIP.x,LEFT_HIP.y,rightHip.x,rightHip.y
        0,0.0,1,0.5,0.2,0.9,0.4,0.6,0.6,0.6
        0,0.0,2,0.1,0.2,0.9,nan,,0.2,0.6
        3,0.1,1,0.5,0.3,0.9,0.4,0.6,0.6,0.6

        """.utf8)

    private static let keypoints = (0..<17).map { "\($0 * 9),\($0 * 20 + 5),2" }.joined(separator: ",")

    /// COCO's keypoints with an image, and a tracker's list of results.
    static let coco = Array(
        """
        {"images":[{"id":1,"width":64,"height":48,"time":0.5}],"categories":[],"annotations":[{"image_id":1,"track_id":3,\
        "keypoints":[\(keypoints)]}]}
        """.utf8)
    static let results = Array(
        """
        [{"image_id":"7.jpg","keypoints":[\(keypoints)],"score":2.5},{"image_id":9,"keypoints":[\(keypoints)],"idx":4}]
        """.utf8)

    /// Motion-capture markers.
    static let markers = Array(
        [
            "PathFileType\t4\t(X/Y/Z)\ta.trc", "DataRate\tUnits", "30\tmm", "Frame#\tTime\tNose\t\t\tRHip\t\t\tLHip",
            "\t\tX1\tY1\tZ1", "1\t0.0\t1\t2\t3\t4\t5\t6\t7\t8\t9", "2\t0.1\t1\t2\t3\t4\t5\t6\t7\t8\t9",
        ].joined(separator: "\n").utf8)

    /// A table with one row per joint.
    static let longTable = Array(
        """
        frame;landmark;x;y;visibility
        0;nose;0,5;0,2;0,9
        0;LEFT_HIP;0,4;0,6;1
        0;PoseLandmark.RIGHT_HIP;0,6;0,6;1
        2;nose;0,5;0,3;0,9
        """.utf8)

    /// Lines of Ultralytics' results.
    static let records: [UInt8] = {
        let list = "[" + (0..<17).map { "\($0 * 9 + 20)" }.joined(separator: ",") + "]"
        let person = "{\"class\":0,\"confidence\":0.9,\"keypoints\":{\"x\":\(list),\"y\":\(list),\"visible\":\(list)}}"
        return Array("[\(person)]\n[]\n[\(person),\(person)]\n".utf8)
    }()

    /// mmpose's predictions.
    static let instances: [UInt8] = {
        let joints = (0..<17).map { "[\($0 * 9 + 20),\($0 * 7)]" }.joined(separator: ",")
        let scores = [String](repeating: "0.7", count: 17).joined(separator: ",")
        return Array(
            "[{\"frame_id\":0,\"instances\":[{\"keypoints\":[\(joints)],\"keypoint_scores\":[\(scores)],\"bbox_score\":0.9}]}]"
                .utf8)
    }()

    /// An archive of one array, as NumPy writes it.
    static let archive: [UInt8] = {
        var zip = ZipArchive()
        try? zip.add(array("<f4", [2, 17, 2], 4), name: "keypoints.npy")
        return zip.finish()
    }()
}
