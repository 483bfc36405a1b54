import Foundation
import Kinema

/// The posture that represents a session in a list: that of the middle repetition at its turn.
package struct TurnSkeleton: Sendable, Equatable, Codable {
    /// The frame's width by its height.
    package var shape: Double
    /// x and y of each joint: 0...1, origin at the lower left.
    package var keypoints: [String: [Double]]

    /// Joints of the largest body model; damaged files may have more.
    private static let mostJoints = 40
    private static let nameLength = 30
    /// Joints outside the frame are estimated, at most one frame away.
    private static let places = -1.0...2
    private static let leastConfidence: Float = 0.2

    /// Whether every number is plausible.
    package var isValid: Bool {
        (0.1...10).contains(shape) && (1...Self.mostJoints).contains(keypoints.count)
            && keypoints.allSatisfy { name, point in
                name.count <= Self.nameLength && point.count == 2 && point.allSatisfy(Self.places.contains)
            }
    }
}

extension TurnSkeleton {
    /// The skeleton of a session from its poses; nil without any. Without repetitions it is taken from the middle.
    init?(_ session: StoredSession) {
        guard let poses = session.poses else { return nil }
        let events =
            session.repetitions.map { (id: Optional($0.id), start: $0.start, end: $0.end) }
            + session.holds.map { (id: Optional($0.id), start: $0.start, end: $0.end) }
        let part =
            events.isEmpty
            ? (id: nil, start: session.duration / 2, end: session.duration / 2 + 1) : events[events.count / 2]
        let frames = Self.frames(of: poses, from: part.start, to: part.end)
        let bodies = frames.compactMap { frame -> (ExportedFrame, Pose)? in
            let pose = frame.poses.first { part.id == nil || part.id == 0 || $0.id == part.id } ?? frame.poses.first
            return pose.map { (frame, $0) }
        }
        guard let first = bodies.first?.1,
            let (frame, pose) = bodies.max(by: { Self.distance(first, $0.1) < Self.distance(first, $1.1) })
        else { return nil }
        shape = Self.rounded(Double(frame.width) / Double(max(1, frame.height)))
        keypoints = [:]
        for (name, joint) in pose.keypoints where joint.confidence >= Self.leastConfidence {
            keypoints[name.rawValue] = [Self.rounded(joint.location.x), Self.rounded(joint.location.y)]
        }
        guard isValid else { return nil }
    }

    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

    /// The sum of the squared distances of the joints that both have.
    private static func distance(_ one: Pose, _ other: Pose) -> Double {
        one.keypoints.reduce(0) { sum, joint in
            guard let there = other.keypoints[joint.key]?.location else { return sum }
            let (x, y) = (joint.value.location.x - there.x, joint.value.location.y - there.y)
            return sum + x * x + y * y
        }
    }

    /// The frames of a part; only their lines are decoded.
    private static func frames(of poses: Data, from start: Double, to end: Double) -> [ExportedFrame] {
        var lines = Data()
        let key = Data(#""time":"#.utf8)
        for line in poses.split(separator: UInt8(ascii: "\n")) {
            guard let place = line.prefix(64).range(of: key),
                let time = Double(
                    String(decoding: line[place.upperBound...].prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)),
                start <= time
            else { continue }
            guard time <= end else { break }
            lines += line + Data("\n".utf8)
        }
        return (try? PoseLinesReader.frames(lines, file: "poses")) ?? []
    }
}
