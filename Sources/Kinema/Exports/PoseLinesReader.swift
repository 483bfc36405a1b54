import Foundation
package import KinemaCore
import KinemaMotion

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
    /// Throws `unreadableInput` naming the line that cannot be understood, whose time is not after the last one's, or
    /// whose numbers make no sense.
    package static func frames(
        _ bytes: some Collection<UInt8>, _ limits: PoseFileLimits = PoseFileLimits(), file: String
    ) throws(KinemaError) -> [ExportedFrame] {
        var frames: [ExportedFrame] = []
        try each(bytes, limits, file: file) { frames.append($0) }
        return frames
    }

    /// Gives the same frames one by one, so that they need not all be in memory.
    static func each(
        _ bytes: some Collection<UInt8>, _ limits: PoseFileLimits, file: String, body: (ExportedFrame) -> Void
    ) throws(KinemaError) {
        let decoder = JSONDecoder()
        var (count, last) = (0, -Double.infinity)
        for (number, text) in ByteLines(bytes) {
            func wrong(_ what: String) -> KinemaError {
                KinemaError(.unreadableInput, "line \(number) \(what)", file: file)
            }
            guard count < limits.frames else {
                throw KinemaError(.unreadableInput, "has more than \(limits.frames) frames; divide it", file: file)
            }
            guard text.count <= limits.lineBytes else { throw wrong("is longer than \(limits.lineBytes >> 20) MB") }
            guard let line = try? decoder.decode(Line.self, from: Data(text)) else {
                throw wrong("is none of kinema pose --format jsonl; or it is cut short")
            }
            if let reason = objection(to: line, after: last, limits) { throw wrong(reason) }
            body(
                ExportedFrame(
                    index: count, time: line.time, width: line.width ?? 0, height: line.height ?? 0,
                    poses: line.people.map(pose)))
            (count, last) = (count + 1, line.time)
        }
    }

    /// What is wrong with a line's numbers; nil when nothing is.
    private static func objection(to line: Line, after last: TimeInterval, _ limits: PoseFileLimits) -> String? {
        guard EvenGrid.holds(line.time) else { return "has the time \(line.time), which is no time in seconds" }
        guard line.time > last else { return "has the time \(line.time) s, which is not after \(last) s before it" }
        for side in [line.width, line.height].compactMap(\.self) where !(0...limits.side).contains(side) {
            return "has a picture of \(line.width ?? 0) by \(line.height ?? 0) pixels"
        }
        for person in line.people {
            for values in [person.keypoints, person.keypoints3D ?? [:]].lazy.flatMap(\.values) {
                if let value = values.first(where: { abs($0) > Double(PoseSequence.furthestPlace) }) {
                    return "has the number \(value), which is no place"
                }
            }
        }
        return nil
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
