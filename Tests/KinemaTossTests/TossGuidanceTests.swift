import Foundation
import KinemaCore
import Testing

@testable import KinemaToss

@Suite("What the player is told")
struct TossGuidanceTests {
    private let board = TossBoardObservation(box: CGRect(x: 0.7, y: 0.3, width: 0.2, height: 0.1))

    private func person() -> Pose {
        let places: [JointKey: CGPoint] = [
            .nose: CGPoint(x: 0.2, y: 0.7), .leftAnkle: CGPoint(x: 0.19, y: 0.3), .rightAnkle: CGPoint(x: 0.21, y: 0.3),
        ]
        let points = places.reduce(into: [JointKey: JointPoint]()) { points, place in
            points[place.key] = JointPoint(place.key, location: place.value, confidence: 0.9)
        }
        return Pose(from: points, keypoints3D: [:], id: 4, confidence: 0.9)
    }

    /// What is told at the end of some seconds of the same frame.
    private func told(seconds: Double, _ change: (inout TossFrame) -> Void = { _ in }) -> TossGame {
        var game = TossGame(aspectRatio: 16 / 9)
        for step in 0...Int(seconds * 10) {
            var frame = TossFrame(time: Double(step) / 10)
            change(&frame)
            _ = game.update(frame)
        }
        return game
    }

    @Test
    func `a board that is missing is asked for after a while, unless the camera moves`() {
        #expect(told(seconds: 1).guidance == .locatingBoard)
        #expect(told(seconds: 4).guidance == .placeBoard)
        #expect(told(seconds: 4) { $0.cameraMoves = true }.guidance == .keepStill)
        #expect(told(seconds: 4) { $0.cameraMoves = $0.time < 2 }.guidance == .locatingBoard)
        #expect(told(seconds: 4) { $0.isBoardOnly = true }.guidance == .boardOnly)
    }

    @Test
    func `with the board a player is waited for, then throws are followed while the camera rests`() {
        #expect(told(seconds: 1) { $0.board = board }.guidance == .stepIn)
        func play(_ frame: inout TossFrame) { (frame.board, frame.poses) = (board, [person()]) }
        #expect(told(seconds: 0.5, play).guidance == .go)
        #expect(told(seconds: 3, play).guidance == .play)
        let shaken = told(seconds: 3) { frame in
            play(&frame)
            frame.cameraMoves = frame.time > 2
        }
        #expect(shaken.guidance == .keepStill)
    }

    @Test
    func `the player has a box a little larger than the body`() throws {
        let game = told(seconds: 1) { frame in (frame.board, frame.poses) = (board, [person()]) }
        let player = try #require(game.player)
        #expect(player.id == 4 && player.box.contains(CGRect(x: 0.19, y: 0.3, width: 0.02, height: 0.4)))
        #expect(player.box.width < 0.1 && player.distance != nil)
        #expect(told(seconds: 1) { $0.board = board }.player == nil)
    }

    @Test
    func `every guidance but the game itself has words`() {
        for guidance in TossGuidance.allCases { #expect(guidance.text.isEmpty == (guidance == .play)) }
    }
}
