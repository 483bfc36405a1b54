import Foundation
import KinemaSynth
import Testing

@testable import KinemaToss

@Suite("Metres from pictures")
struct TossFieldTests {
    /// Seen games give speed, direction and place of the release, whatever the camera.
    @Test(arguments: 0..<12)
    func `exact pictures give the exact throw`(seed: UInt64) throws {
        let scene = SynthScene.toss(seed: seed)
        let truth = try #require(scene.tossTruth)
        let aspectRatio = Double(scene.size.width) / Double(scene.size.height)
        let board = TossBoardObservation(
            corners: truth.board.map { CGPoint(x: $0[0], y: $0[1]) }, hole: CGPoint(x: truth.hole[0], y: truth.hole[1]))
        for one in truth.flights {
            let samples = one.bag.map { TossTrajectory.Sample(time: $0[0], point: CGPoint(x: $0[1], y: $0[2])) }
            let field = try #require(
                TossField(board: board, samples: samples, aspectRatio: aspectRatio, rules: TossRules()))
            #expect(abs(field.speed(at: one.start) / one.speed - 1) < 0.02, "seed \(seed), \(one.start) s")
            #expect(abs(field.angle(at: one.start) - one.angle) < 1, "seed \(seed), \(one.start) s")
        }
    }

    @Test
    func `least squares find the bottom of Rosenbrock's valley`() {
        let solution = LeastSquares.minimize(from: [-1.2, 1], iterations: 200) {
            [10 * ($0[1] - $0[0] * $0[0]), 1 - $0[0]]
        }
        #expect(abs(solution.parameters[0] - 1) < 1e-4 && abs(solution.parameters[1] - 1) < 1e-4)
    }

    @Test(arguments: 0..<4)
    func `corners are told apart by the hole, in whatever order they come`(shift: Int) throws {
        let corners = [
            CGPoint(x: 0.8, y: 0.27), .init(x: 0.93, y: 0.31), .init(x: 0.9, y: 0.36), .init(x: 0.78, y: 0.32),
        ]
        let turned = Array(corners[shift...] + corners[..<shift])
        for order in [turned, turned.reversed()] {
            let place = TossBoardObservation(corners: order, hole: CGPoint(x: 0.895, y: 0.327))
            let correspondences = try #require(BoardCorrespondences(place, aspectRatio: 16.0 / 9, rules: TossRules()))
            // The near end is the left one here.
            #expect(correspondences.yaw == 0)
            #expect(
                correspondences.pairs[0].board.x < 0
                    && abs(correspondences.pairs[0].image.x - (0.8 - 0.5) * 16 / 9) < 1e-9)
        }
    }
}
