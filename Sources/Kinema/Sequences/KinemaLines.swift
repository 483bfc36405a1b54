import Foundation
import KinemaCore
import KinemaMotion

/// Kinema's own JSON Lines of `kinema pose`, read back: the most prominent person of each frame.
enum KinemaLines {
    private struct Line: Decodable {
        struct Person: Decodable {
            var id: Int?
            var confidence: Float?
            var keypoints: [String: [Double]]
        }

        var time: Double
        var width: Int?
        var height: Int?
        var people: [Person]
    }

    /// Throws `unreadableInput` naming the line that cannot be understood.
    static func sequence(_ bytes: [UInt8], file: String) throws(KinemaError) -> PoseSequence {
        var sequence = PoseSequence(.body)
        var selector = ProminentPersonSelector()
        let decoder = JSONDecoder()
        for (number, text) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let line = try? decoder.decode(Line.self, from: Data(text)) else {
                throw KinemaError(
                    .unreadableInput, "line \(number + 1) is none of kinema pose --format jsonl; or it is cut short",
                    file: file)
            }
            // Lines of before pictures' sizes were told have the shape of most videos.
            let ratio = line.width.flatMap { w in line.height.map { h in Double(w) / Double(max(1, h)) } } ?? 16 / 9
            let poses = line.people.map(pose)
            sequence.append(selector.select(poses, at: line.time), at: line.time, aspectRatio: ratio)
        }
        return sequence
    }

    private static func pose(_ person: Line.Person) -> Pose {
        var joints: [JointKey: JointPoint] = [:]
        for (name, values) in person.keypoints where values.count == 3 {
            let key = JointKey(rawValue: name)
            joints[key] = JointPoint(
                key, location: CGPoint(x: values[0], y: values[1]), confidence: Float(values[2]))
        }
        return Pose(from: joints, keypoints3D: [:], id: person.id, confidence: person.confidence ?? 1)
    }
}
