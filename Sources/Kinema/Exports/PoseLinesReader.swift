import Foundation
package import KinemaCore

/// Reads Kinema's own JSON Lines of `kinema pose` back, with everyone's joints in the picture and in space.
///
/// Hands are left out: no export has a place for them.
package enum PoseLinesReader {
    private struct Line: Decodable {
        struct Person: Decodable {
            var id: Int?
            var shot: Int?
            var confidence: Float?
            var keypoints: [String: [Double]]
            var keypoints3D: [String: [Double]]?
        }

        var time: Double
        var width: Int?
        var height: Int?
        var people: [Person]
    }

    /// The frames, numbered from 0; the size is 0 by 0 where lines do not tell it.
    ///
    /// Throws `unreadableInput` naming the line that cannot be understood.
    package static func frames(_ bytes: some Collection<UInt8>, file: String) throws(KinemaError) -> [ExportedFrame] {
        let decoder = JSONDecoder()
        var frames: [ExportedFrame] = []
        for text in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let line = try? decoder.decode(Line.self, from: Data(text)) else {
                throw KinemaError(
                    .unreadableInput,
                    "line \(frames.count + 1) is none of kinema pose --format jsonl; or it is cut short", file: file)
            }
            frames.append(
                ExportedFrame(
                    index: frames.count, time: line.time, width: line.width ?? 0, height: line.height ?? 0,
                    poses: line.people.map(pose)))
        }
        return frames
    }

    private static func pose(_ person: Line.Person) -> Pose {
        var joints: [JointKey: JointPoint] = [:]
        for (name, values) in person.keypoints where values.count == 3 {
            let key = JointKey(rawValue: name)
            joints[key] = JointPoint(
                key, location: CGPoint(x: values[0], y: values[1]), confidence: Float(values[2]))
        }
        var space: [JointKey: JointPoint3D] = [:]
        for (name, values) in person.keypoints3D ?? [:] where values.count == 4 {
            let key = JointKey(rawValue: name)
            space[key] = JointPoint3D(
                key, position: SIMD3(Float(values[0]), Float(values[1]), Float(values[2])),
                confidence: Float(values[3]))
        }
        var pose = Pose(from: joints, keypoints3D: space, id: person.id, confidence: person.confidence ?? 1)
        pose.shot = person.shot
        return pose
    }
}
