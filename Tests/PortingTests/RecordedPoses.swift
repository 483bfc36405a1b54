import Foundation
import Kinema
import KinemaSynth

/// The exact poses of the built-in scene, eight jumping jacks at 30 frames a second, as if recorded.
struct RecordedPoses: TemporalSequence, Sendable {
    typealias Feature = [Pose]
    typealias Element = TemporalFeature<[Pose]>

    static let demo = RecordedPoses(SynthScene.demo.truth())
    static let repetitions = 8

    private(set) var frames: [[Pose]]
    var source = "demo"

    init(_ truth: Truth) {
        frames = (0..<truth.frameCount).map { frame in
            truth.people.map { person in
                let joints = person.frames[frame].keypoints.map { name, joint in
                    JointPoint(
                        JointKey(rawValue: name), location: CGPoint(x: joint.x, y: joint.y),
                        confidence: joint.visibility == .visible ? 0.95 : 0.4)
                }
                let keypoints = Dictionary(uniqueKeysWithValues: joints.map { ($0.key, $0) })
                return Pose(from: keypoints, keypoints3D: [:], id: person.id, confidence: 1)
            }
        }
    }

    var count: Int? { frames.count }

    /// Some of the frames.
    func frames(_ range: Range<Int>) -> RecordedPoses {
        var copy = self
        copy.frames = Array(frames[range])
        return copy
    }

    /// The recording, its last frame for a while, and the recording once more.
    func twice(restingFor number: Int) -> RecordedPoses {
        var copy = self
        copy.frames = frames + Array(repeating: frames.last ?? [], count: number) + frames
        return copy
    }

    func named(_ source: String) -> RecordedPoses {
        var copy = self
        copy.source = source
        return copy
    }

    func makeAsyncIterator() -> Iterator { Iterator(poses: self) }

    struct Iterator: AsyncIteratorProtocol {
        let poses: RecordedPoses
        var index = 0

        mutating func next() async throws -> TemporalFeature<[Pose]>? {
            guard index < poses.frames.count else { return nil }
            defer { index += 1 }
            let id = TemporalSegmentIdentifier(source: poses.source, range: index..<index + 1, timescale: 30)
            return TemporalFeature(id: id, feature: poses.frames[index])
        }
    }
}
