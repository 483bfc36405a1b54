import Foundation
import KinemaCore
import Testing

@testable import KinemaStudio

struct FramingJudgeTests {
    /// Somebody whose head and ankles are at these heights.
    private func person(head: Double, feet: Double, x: Double = 0.5) -> Pose {
        let places: [JointKey: CGPoint] = [
            .nose: CGPoint(x: x, y: head), .leftAnkle: CGPoint(x: x + 0.05, y: feet),
            .rightAnkle: CGPoint(x: x - 0.05, y: feet), .leftShoulder: CGPoint(x: x + 0.1, y: head - 0.1),
            .rightShoulder: CGPoint(x: x - 0.1, y: head - 0.1),
        ]
        return Pose(
            from: places.reduce(into: [:]) { $0[$1.key] = JointPoint($1.key, location: $1.value, confidence: 0.9) })
    }

    /// The states told, with the frame in which they were, at 30 frames a second.
    private func told(_ wish: FramingJudge.Wish, _ frames: [Pose?]) -> [(Int, SessionState.Name)] {
        var judge = FramingJudge(wish)
        return frames.enumerated().compactMap { index, pose in
            judge.take(pose.map { [$0] } ?? [], hands: 0, at: Double(index) / 30).map { (index, $0.name) }
        }
    }

    @Test func aWholeBodyIsSeenAtOnce() {
        let states = told(.wholeBody, [person(head: 0.9, feet: 0.1)])
        #expect(states.map(\.1) == [.live])
    }

    @Test func feetThatAreCutOffAreToldOnceTheyStayCutOff() {
        let good = [Pose?](repeating: person(head: 0.9, feet: 0.1), count: 10)
        let cut = [Pose?](repeating: person(head: 0.8, feet: -0.1), count: 60)
        let states = told(.wholeBody, good + cut + good + good)
        #expect(states.map(\.1) == [.live, .stepBack, .live])
        #expect((30...34).contains(states[1].0))
    }

    @Test func nobodyForAMomentIsNoState() {
        let someone = person(head: 0.9, feet: 0.1)
        let frames = (0..<300).map { $0 % 20 < 10 ? someone : nil }
        #expect(told(.wholeBody, frames).map(\.1) == [.live])
    }

    @Test func feetAtTheEdgeDoNotFlicker() {
        // The ankles tremble about the edge.
        let frames = (0..<600).map { person(head: 0.9, feet: 0.02 + 0.012 * sin(Double($0))) as Pose? }
        #expect(told(.wholeBody, frames).count <= 2)
    }

    @Test func headsAreMissedTooButNotWhereAnyoneWillDo() {
        let close = [Pose?](repeating: person(head: 1.1, feet: 0.2), count: 60)
        #expect(told(.wholeBody, close).map(\.1) == [.stepBack])
        #expect(told(.somebody, close).map(\.1) == [.live])
    }
}
