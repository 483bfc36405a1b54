import Foundation
import Kinema

/// A variation of a recording that leaves its true count unchanged, to test on input that no counter was tuned on.
enum CountVariation: String, CaseIterable, Sendable {
    case mirrored, backwards, slower, quicker
    case halfRate = "half_rate"
    case thirdRate = "third_rate"

    /// The factor for slower and quicker: a clear difference that most exercises can still have.
    private static let tempo = 1.35

    func applied(to film: [PosedMoment]) -> [PosedMoment] {
        let end = film.last?.time ?? 0
        switch self {
        case .mirrored: return film.map { PosedMoment(time: $0.time, poses: $0.poses.map(\.mirrored)) }
        case .backwards: return film.reversed().map { PosedMoment(time: end - $0.time, poses: $0.poses) }
        case .slower: return film.map { PosedMoment(time: $0.time * Self.tempo, poses: $0.poses) }
        case .quicker: return film.map { PosedMoment(time: $0.time / Self.tempo, poses: $0.poses) }
        case .halfRate: return every(2, of: film)
        case .thirdRate: return every(3, of: film)
        }
    }

    private func every(_ step: Int, of film: [PosedMoment]) -> [PosedMoment] {
        stride(from: 0, to: film.count, by: step).map { film[$0] }
    }
}

struct PosedMoment: Sendable {
    /// Seconds from the first frame.
    var time: TimeInterval
    var poses: [Pose]
}

extension [PosedMoment] {
    /// Counts the repetitions of the most prominent person, in pictures with the given width divided by height.
    func counted(aspectRatio: Double) -> Int {
        var counter = PeopleCounter(scope: .prominent, aspectRatio: aspectRatio)
        for moment in self { counter.append(moment.poses, at: moment.time) }
        counter.finish()
        return counter.count
    }
}

extension Pose {
    fileprivate var mirrored: Pose {
        var mirrored = self
        mirrored.keypoints = Dictionary(
            uniqueKeysWithValues: keypoints.values.map { joint in
                let location = CGPoint(x: 1 - joint.location.x, y: joint.location.y)
                let key = joint.key.mirrored
                return (key, JointPoint(key, location: location, confidence: joint.confidence))
            })
        mirrored.keypoints3D = Dictionary(
            uniqueKeysWithValues: keypoints3D.values.map { joint in
                let (key, position) = (joint.key.mirrored, joint.position * SIMD3(-1, 1, 1))
                return (key, JointPoint3D(key, position: position, confidence: joint.confidence))
            })
        return mirrored
    }
}

extension JointKey {
    fileprivate var mirrored: JointKey {
        let name = rawValue
        if name.hasPrefix("left") { return JointKey(rawValue: "right" + name.dropFirst(4)) }
        return name.hasPrefix("right") ? JointKey(rawValue: "left" + name.dropFirst(5)) : self
    }
}
