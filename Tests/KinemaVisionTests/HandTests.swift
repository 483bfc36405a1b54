@testable import KinemaSampling
@testable import KinemaPose
import Foundation
import KinemaCore
import Testing

/// The geometry of hands' regions and numbers, without a model.
struct HandTests {
    /// A hand of 100 pixels that points up, its wrist at a place, turned clockwise by an angle.
    private func hand(
        wrist: SIMD2<Double> = SIMD2(300, 300), angle: Double = 0, presence: Float = 0.9, rightness: Float = 0.9
    ) -> HandLandmarks {
        let upright: [SIMD2<Double>] =
            [SIMD2(0, 0), SIMD2(25, -22), SIMD2(45, -45), SIMD2(60, -65), SIMD2(72, -80)]
            + [20.0, 0, -20, -35].flatMap { x in [-95.0, -135, -160, -180].map { SIMD2(x, $0) } }
        return HandLandmarks(
            region: Region(center: wrist, side: 200, angle: angle), presence: presence, rightness: rightness,
            points: upright.map { point in
                wrist
                    + SIMD2(cos(angle) * point.x - sin(angle) * point.y, sin(angle) * point.x + cos(angle) * point.y)
            },
            world: [SIMD3<Float>](repeating: .zero, count: HandLandmarks.count))
    }

    @Test func `the palm grid has the anchors of the published graph`() {
        #expect(AnchorGrid.palms.count == 2016)
        #expect(AnchorGrid.palms[0] == SIMD2(0.5 / 24, 0.5 / 24))
        #expect(AnchorGrid.palms[24 * 24 * 2] == SIMD2(0.5 / 12, 0.5 / 12))
        #expect(AnchorGrid.palms[2015] == SIMD2(11.5 / 12, 11.5 / 12))
    }

    @Test func `a palms region lies towards the fingers`() {
        let palm = AnchorDetection(
            score: 1, box: SIMD4(100, 100, 200, 180),
            keypoints: [SIMD2(150, 180), SIMD2(0, 0), SIMD2(150, 100)] + Array(repeating: SIMD2(0, 0), count: 4))
        // Upright: half its height up, 2.6 times its longer side.
        #expect(palm.handRegion == Region(center: SIMD2(150, 100), side: 260, angle: 0))
    }

    @Test func `the next region turns with the hand`() {
        let upright = hand().nextRegion
        // Steered by x -35...60 and y -135...0 of the upright hand: a square of twice 135, a tenth of it up.
        #expect(abs(upright.side - 270) < 1e-9)
        #expect((upright.center - SIMD2(300 + 12.5, 300 - 67.5 - 13.5)).length < 1)
        for angle in [-2.0, -0.5, 0.7, 3] {
            let turned = hand(angle: angle).nextRegion
            #expect(abs(turned.side - upright.side) < 1e-9)
            #expect(abs(remainder(turned.angle - upright.angle - angle, 2 * .pi)) < 1e-9)
        }
    }

    @Test func `a hand that is lost for a moment keeps its number`() {
        var manager = HandTrackManager()
        manager.add(hand(), at: 0)
        manager.add(hand(wrist: SIMD2(900, 300), rightness: 0.1), at: 0)
        #expect(manager.tracks.map(\.id) == [1, 2])
        manager.update(with: [nil, hand(wrist: SIMD2(905, 300), rightness: 0.1)], at: 0.1)
        #expect(manager.tracks.map(\.id) == [2])
        #expect(!manager.lost.isEmpty)
        manager.add(hand(wrist: SIMD2(340, 310)), at: 0.3)
        #expect(manager.tracks.map(\.id) == [1, 2])
        manager.update(with: [nil, nil], at: 0.4)
        manager.update(with: [], at: 2)
        manager.add(hand(), at: 2)
        #expect(manager.tracks.map(\.id) == [3])
    }

    @Test func `two tracks on one hand become one`() {
        var manager = HandTrackManager()
        manager.add(hand(), at: 0)
        manager.add(hand(wrist: SIMD2(900, 300)), at: 0)
        manager.update(with: [hand(presence: 0.6), hand(wrist: SIMD2(305, 302), presence: 0.95)], at: 0.1)
        #expect(manager.tracks.map(\.id) == [2])
    }

    @Test func `two readings of one hand in regions of different size are one hand`() {
        // One reading is of a region of 0.6 times the side; the regions overlap by less than half.
        var small = hand(wrist: SIMD2(306, 294))
        for index in [0, 1, 2, 3, 5, 9, 13, 17] { small.points[index].y -= 25 }
        for index in [6, 10, 14, 18] { small.points[index].y += 25 }
        #expect(small.nextRegion.overlap(hand().nextRegion) < HandTrackManager.duplicateOverlap)
        #expect(small.isSameHand(as: hand()))
        #expect(!hand(wrist: SIMD2(360, 260)).isSameHand(as: hand()))
        // A hand that clasps another lies at the same place, but the other way round.
        #expect(!hand(wrist: SIMD2(300, 210), angle: .pi).isSameHand(as: hand()))

        var manager = HandTrackManager()
        manager.add(hand(), at: 0)
        #expect(manager.isTracked(small))
        manager.add(small, at: 0)
        manager.update(with: [hand(), small], at: 0.1)
        #expect(manager.tracks.count == 1)
    }

    @Test func `a close up looks at the same place more closely`() {
        let (usual, closer) = (hand(angle: 0.3).nextRegion, hand(angle: 0.3).closeUpRegion)
        #expect(closer.center == usual.center && closer.angle == usual.angle)
        #expect(abs(closer.side / usual.side - 0.85) < 1e-9)
    }

    @Test func `one blurred frame does not turn a left hand into a right one`() {
        var manager = HandTrackManager()
        manager.add(hand(rightness: 0.05), at: 0)
        for frame in 1...3 { manager.update(with: [hand(rightness: 0.95)], at: Double(frame) / 30) }
        #expect(manager.tracks[0].rightness < 0.5)
        for frame in 4...30 { manager.update(with: [hand(rightness: 0.95)], at: Double(frame) / 30) }
        #expect(manager.tracks[0].rightness > 0.5)
    }

    @Test func `squares overlap by their shared area`() {
        let square = Region(center: SIMD2(0, 0), side: 2, angle: 0)
        #expect(square.overlap(square) == 1)
        #expect(abs(square.overlap(Region(center: SIMD2(1, 0), side: 2, angle: 0)) - 1.0 / 3) < 1e-12)
        #expect(abs(square.overlap(Region(center: SIMD2(0, 0), side: 1, angle: 0)) - 0.25) < 1e-12)
        #expect(square.overlap(Region(center: SIMD2(3, 0), side: 2, angle: 0)) == 0)
    }

    private func observation(wrist: CGPoint, _ side: HumanHandPoseObservation.Chirality) -> HumanHandPoseObservation {
        let joints: [JointKey: CGPoint] = [.wrist: wrist, .middleMCP: CGPoint(x: wrist.x, y: wrist.y + 0.05)]
        return HumanHandPoseObservation(
            Pose(from: joints.reduce(into: [:]) { $0[$1.key] = JointPoint($1.key, location: $1.value, confidence: 1) }),
            chirality: side)
    }

    private func person(left: CGPoint, right: CGPoint) -> Pose {
        Pose(from: [
            .leftWrist: JointPoint(.leftWrist, location: left, confidence: 1),
            .rightWrist: JointPoint(.rightWrist, location: right, confidence: 1),
        ])
    }

    @Test func `hands belong to the wrist they begin at`() {
        let people = [
            person(left: CGPoint(x: 0.4, y: 0.5), right: CGPoint(x: 0.2, y: 0.5)),
            person(left: CGPoint(x: 0.8, y: 0.5), right: CGPoint(x: 0.6, y: 0.5)),
        ]
        let hands = [
            observation(wrist: CGPoint(x: 0.61, y: 0.51), .right), observation(wrist: CGPoint(x: 0.39, y: 0.5), .left),
            observation(wrist: CGPoint(x: 0.5, y: 0.9), .left),
            // Near a wrist that has its hand already.
            observation(wrist: CGPoint(x: 0.62, y: 0.52), .right),
        ]
        let wrists = HandAssignment(hands, to: people, aspectRatio: 1).wrists
        #expect(wrists == [.init(person: 1, side: .right), .init(person: 0, side: .left), nil, nil])
    }

    @Test func `between two wrists at one place the hands own side decides`() {
        let people = [person(left: CGPoint(x: 0.5, y: 0.5), right: CGPoint(x: 0.505, y: 0.5))]
        let hands = [
            observation(wrist: CGPoint(x: 0.5, y: 0.5), .right), observation(wrist: CGPoint(x: 0.505, y: 0.5), .left),
        ]
        #expect(HandAssignment(hands, to: people, aspectRatio: 1).wrists.map { $0?.side } == [.right, .left])
    }
}
