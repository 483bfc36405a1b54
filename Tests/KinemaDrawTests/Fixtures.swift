import Foundation
import KinemaCore
import KinemaDraw

/// A person standing upright with the arms a little out, as shares of a box.
private let standing: [(JointKey, Double, Double)] = [
    (.nose, 0.5, 0.92), (.leftEye, 0.53, 0.94), (.rightEye, 0.47, 0.94), (.leftEar, 0.57, 0.93),
    (.rightEar, 0.43, 0.93),
    (.neck, 0.5, 0.82), (.leftShoulder, 0.65, 0.82), (.rightShoulder, 0.35, 0.82), (.leftElbow, 0.8, 0.65),
    (.rightElbow, 0.2, 0.65), (.leftWrist, 0.9, 0.5), (.rightWrist, 0.1, 0.5), (.root, 0.5, 0.52),
    (.leftHip, 0.6, 0.52), (.rightHip, 0.4, 0.52), (.leftKnee, 0.62, 0.28), (.rightKnee, 0.38, 0.28),
    (.leftAnkle, 0.63, 0.06), (.rightAnkle, 0.37, 0.06), (.leftHeel, 0.62, 0.03), (.rightHeel, 0.38, 0.03),
    (.leftFootTip, 0.7, 0.01), (.rightFootTip, 0.3, 0.01),
]

/// The person in a box of the picture, normalised, with every joint of one confidence.
func standingPose(in box: CGRect, id: Int? = nil, confidence: Float = 0.9) -> Pose {
    var joints: [JointKey: JointPoint] = [:]
    for (key, x, y) in standing {
        let location = CGPoint(x: box.minX + x * box.width, y: box.minY + y * box.height)
        joints[key] = JointPoint(key, location: location, confidence: confidence)
    }
    return Pose(from: joints, keypoints3D: [:], id: id, confidence: confidence)
}

/// The pixel in the middle of a bone.
func middle(of pose: Pose, _ from: JointKey, _ to: JointKey, in picture: Bitmap) -> (x: Int, y: Int) {
    guard let start = pose.keypoints[from]?.location, let end = pose.keypoints[to]?.location else { return (0, 0) }
    return (
        Int((start.x + end.x) / 2 * Double(picture.width)), Int((1 - (start.y + end.y) / 2) * Double(picture.height))
    )
}

extension Bitmap {
    /// Whether the pixel is the colour within 3 of 255 a channel.
    func shows(_ color: Color, at pixel: (x: Int, y: Int)) -> Bool {
        let found = self[pixel.x, pixel.y]
        return abs(Double(found.red) - color.red * 255) < 3 && abs(Double(found.green) - color.green * 255) < 3
            && abs(Double(found.blue) - color.blue * 255) < 3
    }

    /// The box of pixels that differ from another picture of the same size, if any.
    func changes(from other: Bitmap) -> (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
        var columns: [Int] = []
        var rows: [Int] = []
        for y in 0..<height {
            for x in 0..<width where self[x, y] != other[x, y] {
                columns.append(x)
                rows.append(y)
            }
        }
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max() else {
            return nil
        }
        return (left...right, top...bottom)
    }

    /// Writes the picture for a human to look at, when KINEMA_TEST_PICTURES names a folder.
    func show(_ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["KINEMA_TEST_PICTURES"] else { return }
        try writePNG(to: URL(fileURLWithPath: folder).appendingPathComponent(name + ".png"))
    }
}
