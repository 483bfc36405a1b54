import Foundation
import KinemaCore
import KinemaSynth
import Testing

@testable import KinemaToss

@Suite("The ground of the game")
struct FieldViewTests {
    private let scene: SynthScene
    private let truth: Truth.Toss
    private let aspectRatio: Double

    init() throws {
        scene = SynthScene.toss(seed: 1)
        truth = try #require(scene.tossTruth)
        aspectRatio = Double(scene.size.width) / Double(scene.size.height)
    }

    private var board: TossBoardObservation {
        TossBoardObservation(
            corners: truth.board.map { CGPoint(x: $0[0], y: $0[1]) }, hole: CGPoint(x: truth.hole[0], y: truth.hole[1]))
    }

    /// How far the line is from where it truly lies, in picture heights.
    private func gap(_ line: [CGPoint]) -> Double {
        func apart(_ order: [[Double]]) -> Double {
            zip(line, order).map { hypot(($0.x - $1[0]) * aspectRatio, $0.y - $1[1]) }.max() ?? .infinity
        }
        return min(apart(truth.line), apart(truth.line.reversed()))
    }

    @Test
    func `the board alone shows roughly where the line lies, a throw shows it better`() throws {
        let rules = TossRules()
        let rough = try #require(FieldView(board, aspectRatio: aspectRatio, rules: rules))
        let flight = truth.flights[0]
        let samples = flight.bag.map { TossTrajectory.Sample(time: $0[0], point: CGPoint(x: $0[1], y: $0[2])) }
        let field = try #require(TossField(board: board, samples: samples, aspectRatio: aspectRatio, rules: rules))
        let exact = FieldView(field, aspectRatio: aspectRatio, rules: rules)
        #expect(gap(rough.line(at: rules.lineDistance)) < 0.25)
        #expect(gap(exact.line(at: rules.lineDistance)) < 0.05)
    }

    @Test
    func `who stands on the line stands 25 feet from the hole, and nobody stands above the horizon`() throws {
        let rules = TossRules()
        let view = try #require(FieldView(board, aspectRatio: aspectRatio, rules: rules))
        let line = view.line(at: rules.lineDistance)
        let middle = CGPoint(x: (line[0].x + line[1].x) / 2, y: (line[0].y + line[1].y) / 2)
        // Ankles are a little above the ground.
        let distance = try #require(view.distance(ofAnklesAt: CGPoint(x: middle.x, y: middle.y + 0.015)))
        #expect(abs(distance / rules.lineDistance - 1) < 0.03)
        #expect(view.distance(ofAnklesAt: CGPoint(x: 0.5, y: 1)) == nil)
    }
}
