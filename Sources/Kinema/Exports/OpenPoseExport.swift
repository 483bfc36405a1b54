import Foundation
import KinemaCore

/// OpenPose's JSON, BODY_25: pixels, origin at the top left, one file per frame in a folder.
struct OpenPoseExport: PoseExport {
    /// BODY_25's order. BlazePose has one tip per foot, which serves as both big and small toe.
    static let joints: [JointKey] = [
        .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist, .root, .rightHip,
        .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye, .rightEar, .leftEar,
        .leftFootTip, .leftFootTip, .leftHeel, .rightFootTip, .rightFootTip, .rightHeel,
    ]
    private static let otherKeys = [
        "face_keypoints_2d", "hand_left_keypoints_2d", "hand_right_keypoints_2d", "pose_keypoints_3d",
        "face_keypoints_3d", "hand_left_keypoints_3d", "hand_right_keypoints_3d",
    ]

    let folder: URL
    private let stem: String
    private var isNew = false
    private var written: [URL] = []

    init(folder: URL, source: String) {
        self.folder = folder
        stem = URL(filePath: source).deletingPathExtension().lastPathComponent
    }

    /// Writes the frame's file; if that fails, removes those of the frames before.
    mutating func add(_ frame: ExportedFrame) throws {
        do {
            try write(frame)
        } catch {
            AtomicFile.remove(written)
            if isNew { rmdir(folder.path) }
            throw error
        }
    }

    private mutating func write(_ frame: ExportedFrame) throws {
        if frame.index == 0 {
            isNew = !FileManager.default.fileExists(atPath: folder.path)
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            } catch {
                throw KinemaError.unwritable(folder.path, error)
            }
        }
        var json = JSONText()
        json.object { json in
            json.field("version", 1.3, decimals: 1)
            json.array("people") { list in frame.poses.forEach { Self.write($0, frame, &list) } }
        }
        let number = String(repeating: "0", count: max(0, 12 - "\(frame.index)".count)) + "\(frame.index)"
        let file = folder.appending(path: "\(stem)_\(number)_keypoints.json")
        try AtomicFile.write(json.bytes, to: file)
        written.append(file)
    }

    consuming func finish() throws {}

    private static func write(_ pose: Pose, _ frame: ExportedFrame, _ list: inout JSONText) {
        list.object { json in
            json.array("person_id") { $0.integer(pose.id ?? -1) }
            json.array("pose_keypoints_2d") { numbers in
                for joint in joints.map({ pose.keypoints[$0] }) {
                    numbers.number((joint?.location.x ?? 0) * Double(frame.width), decimals: 3)
                    numbers.number(joint.map { (1 - $0.location.y) * Double(frame.height) } ?? 0, decimals: 3)
                    numbers.number(Double(joint?.confidence ?? 0), decimals: 4)
                }
            }
            for key in otherKeys { json.array(key) { _ in } }
        }
    }
}
