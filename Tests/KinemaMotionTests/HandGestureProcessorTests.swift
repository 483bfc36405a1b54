@testable import KinemaMotion
import Foundation
import KinemaCore
import Synchronization
import Testing

/// The HandPose sample's rule, state by state.
struct HandGestureProcessorTests {
    private func pair(_ distance: Double) -> HandGestureProcessor.PointsPair {
        (CGPoint(x: 100, y: 100), CGPoint(x: 100 + distance, y: 100))
    }

    @Test func `three pairs in a row are believed`() {
        var processor = HandGestureProcessor()
        let states = [10.0, 39.9, 20, 40, 50, 39, 60, 60, 60].map { processor.processPointsPair(pair($0)) }
        #expect(
            states == [
                .possiblePinch, .possiblePinch, .pinched, .possibleApart, .possibleApart, .possiblePinch,
                .possibleApart,
                .possibleApart, .apart,
            ])
    }

    @Test func `the closure hears every state also an unchanged one`() {
        final class Ear: Sendable { let heard = Mutex<[HandGestureProcessor.State]>([]) }
        let ear = Ear()
        var processor = HandGestureProcessor(pinchMaxDistance: 10, evidenceCounterStateTrigger: 1)
        processor.didChangeStateClosure = { state in ear.heard.withLock { $0.append(state) } }
        processor.processPointsPair(pair(1))
        processor.processPointsPair(pair(1))
        processor.reset()
        #expect(ear.heard.withLock { $0 } == [.pinched, .pinched, .unknown])
        #expect(processor.lastProcessedPointsPair.indexTip.x == 101)
    }

    @Test func `view points are of the view asked for`() {
        // Tips 0.1 of the width apart: 39 points in a view 390 wide, 41 in one 410 wide.
        let keypoints: [JointKey: CGPoint] = [
            .wrist: CGPoint(x: 0.5, y: 0.2), .middleMCP: CGPoint(x: 0.5, y: 0.5), .indexMCP: CGPoint(x: 0.45, y: 0.5),
            .thumbTip: CGPoint(x: 0.4, y: 0.7), .indexTip: CGPoint(x: 0.5, y: 0.7),
        ]
        let hand = Pose(
            from: keypoints.reduce(into: [:]) { $0[$1.key] = JointPoint($1.key, location: $1.value, confidence: 1) })
        for (width, count) in [(390.0, 1), (410, 0)] {
            var drawing = PinchDrawing(rule: .viewPoints(view: CGSize(width: width, height: 844)), aspectRatio: 1)
            for frame in 0..<5 {
                drawing.append([HumanHandPoseObservation(hand, chirality: nil)], at: Double(frame) / 30)
            }
            #expect(drawing.pinches.count == count)
        }
    }
}
