@testable import KinemaMotion
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

/// Left and right stay what they were when a model exchanges their labels.
struct SideContinuityTests {
    /// A walk in which the labels are exchanged in the frames that `isExchanged` says.
    private func walk(rate: Double = 30, isExchanged: (Int) -> Bool) -> [(time: Double, pose: Pose)] {
        var figure = MeasuredFigure.walking()
        figure.rate = rate
        return figure.poses(4).enumerated().map { index, frame in
            guard isExchanged(index) else { return frame }
            let joints = frame.pose.keypoints.map { key, joint in
                (key.mirrored, JointPoint(key.mirrored, location: joint.location, confidence: joint.confidence))
            }
            var pose = frame.pose
            pose.keypoints = Dictionary(uniqueKeysWithValues: joints)
            return (frame.time, pose)
        }
    }

    private func kept(_ frames: [(time: Double, pose: Pose)]) -> (poses: [Pose], exchanges: Int) {
        var sides = SideContinuity()
        let poses = frames.flatMap { sides.kept([$0.pose], at: $0.time, aspectRatio: 16.0 / 9) }
        return (poses, sides.exchanges)
    }

    /// The left foot lands at 0; it is far from the other one half a step before and after.
    @Test(arguments: [[34..<50], [34..<50, 67..<83], [34..<35]])
    func `labels that are exchanged for a stretch are put back`(stretches: [Range<Int>]) {
        let (truth, exchanged) = (walk { _ in false }, walk { index in stretches.contains { $0.contains(index) } })
        let found = kept(exchanged)
        #expect(found.exchanges > 0)
        for (one, other) in zip(truth, found.poses) {
            for key in [JointKey.leftAnkle, .rightHeel, .leftKnee] {
                #expect(one.pose.keypoints[key]?.location == other.keypoints[key]?.location, "\(one.time) \(key)")
            }
        }
    }

    @Test(arguments: [15.0, 30, 60]) func `legs that pass each other keep their labels`(rate: Double) {
        let frames = walk(rate: rate) { _ in false }
        let found = kept(frames)
        #expect(found.exchanges == 0)
        #expect(zip(frames, found.poses).allSatisfy { $0.pose == $1 })
    }

    @Test func `what was put back is said, and what may still be exchanged`() {
        var sides = SideContinuity()
        #expect(sides.note == nil)
        for frame in walk(isExchanged: { (34..<50).contains($0) }) {
            _ = sides.kept([frame.pose], at: frame.time, aspectRatio: 16.0 / 9)
        }
        let put = sides.note ?? ""
        #expect(put.hasPrefix("left and right were exchanged") && !put.contains("may still"), "\(put)")
        // The person is lost while the labels are exchanged.
        var lost = SideContinuity()
        let frames = walk { (34..<70).contains($0) }
        for (index, frame) in frames.enumerated() where !(45..<60).contains(index) {
            _ = lost.kept([frame.pose], at: frame.time, aspectRatio: 16.0 / 9)
        }
        #expect(lost.note?.contains("may still be exchanged") == true, "\(lost.note ?? "")")
    }
}
