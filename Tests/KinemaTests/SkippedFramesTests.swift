import Foundation
import KinemaCore
import KinemaMedia
import Testing

@testable import Kinema

/// People in frames that were not analysed.
struct SkippedFramesTests {
    private static func frame(_ number: Int) -> VideoFrame {
        VideoFrame(
            width: 4, height: 4, id: TemporalSegmentIdentifier(source: "", range: number..<number + 1, timescale: 60))
    }

    private static func seen(_ number: Int, _ people: [(id: Int, x: Double)], shot: Int = 0) -> PosedFrame {
        let poses = people.map { person in
            var pose = Pose(from: [.nose: JointPoint(.nose, location: CGPoint(x: person.x, y: 0.5), confidence: 1)])
            (pose.id, pose.shot) = (person.id, shot)
            return pose
        }
        return PosedFrame(frame: frame(number), poses: poses, hands: [])
    }

    /// The people of frames 1, 2, … between one analysed frame and the next.
    private static func between(_ one: PosedFrame, _ next: PosedFrame) -> [[Int?: Double]] {
        var skipped = SkippedFrames()
        #expect(skipped.finish(before: one).map(\.isAnalysed) == [true])
        for number in one.frame.id.range.upperBound..<next.frame.id.range.lowerBound { skipped.add(frame(number)) }
        let frames = skipped.finish(before: next)
        #expect(frames.last?.isAnalysed == true && frames.dropLast().allSatisfy { !$0.isAnalysed })
        return frames.dropLast().map { frame in
            Dictionary(
                uniqueKeysWithValues: frame.poses.map { ($0.id, ($0[.nose].location.x * 1000).rounded() / 1000) })
        }
    }

    @Test func `people move evenly from one analysed frame to the next`() {
        let places = Self.between(Self.seen(0, [(1, 0.2), (2, 0.8)]), Self.seen(4, [(1, 0.6), (2, 0.8)]))
        #expect(places == [[1: 0.3, 2: 0.8], [1: 0.4, 2: 0.8], [1: 0.5, 2: 0.8]])
    }

    @Test func `nobody is shown who appears, vanishes, is cut away or was not seen for long`() {
        #expect(Self.between(Self.seen(0, [(1, 0.2)]), Self.seen(2, [(2, 0.2)])) == [[:]])
        #expect(Self.between(Self.seen(0, [(1, 0.2)]), Self.seen(2, [(1, 0.4)], shot: 1)) == [[:]])
        let far = Self.between(Self.seen(0, [(1, 0.2)]), Self.seen(30, [(1, 0.4)]))
        #expect(far.count == 29 && far.allSatisfy(\.isEmpty))
    }

    @Test func `the last frames show the people of the one before`() {
        var skipped = SkippedFrames()
        _ = skipped.finish(before: Self.seen(0, [(1, 0.2)]))
        for number in [1, 2, 40] { skipped.add(Self.frame(number)) }
        #expect(skipped.finish().map { $0.poses.map(\.id) } == [[1], [1], []])
        #expect(skipped.finish().isEmpty)
    }
}
