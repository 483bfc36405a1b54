import Foundation

/// A pinhole camera without lens distortion, its axis through the centre of the picture.
struct FieldCamera: Sendable {
    /// The focal length, in picture heights.
    var focal: Double
    /// The downward tilt, in radians.
    var pitch: Double
    /// The rotation about its axis, in radians.
    var roll: Double

    /// Projects a point: picture heights from the centre of the picture, y up.
    func project(_ point: FieldPoint) -> CGPoint {
        let up = point.y * cos(pitch) + point.z * sin(pitch)
        // Points behind the camera are moved in front of it, so that the least-squares search can recover.
        let ahead = max(point.z * cos(pitch) - point.y * sin(pitch), 0.05)
        let (x, y) = (focal * point.x / ahead, focal * up / ahead)
        return CGPoint(x: x * cos(roll) - y * sin(roll), y: x * sin(roll) + y * cos(roll))
    }

    /// The point that projects to `image` (picture heights from the centre) at a depth in metres.
    func point(at image: CGPoint, depth: Double) -> FieldPoint {
        let x = (image.x * cos(roll) + image.y * sin(roll)) / focal * depth
        let up = (image.y * cos(roll) - image.x * sin(roll)) / focal * depth
        return FieldPoint(x, up * cos(pitch) - depth * sin(pitch), up * sin(pitch) + depth * cos(pitch))
    }
}
