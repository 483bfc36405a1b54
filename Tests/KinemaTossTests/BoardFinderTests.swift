import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
@testable import KinemaToss
import KinemaTestSupport
import Testing

@Suite("Finding the board")
struct BoardFinderTests {
    private func frame(_ bitmap: Bitmap) -> VideoFrame {
        VideoFrame(bitmap: bitmap, id: TemporalSegmentIdentifier(source: "test", range: 0..<1, timescale: 30))
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5] as [UInt64])
    func `a rendered board is found to a few pixels, its hole too`(seed: UInt64) throws {
        let scene = SynthScene.toss(seed: seed)
        let truth = try #require(scene.tossTruth)
        let found = try #require(try BoardFinder().board(in: frame(scene.bitmap(at: 0))))
        func pixels(_ point: CGPoint, _ other: [Double]) -> Double {
            hypot((point.x - other[0]) * Double(scene.size.width), (point.y - other[1]) * Double(scene.size.height))
        }
        for corner in found.corners { #expect((truth.board.map { pixels(corner, $0) }.min() ?? 99) < 6) }
        #expect(pixels(try #require(found.hole), truth.hole) < 2)
        #expect(found.confidence > TossRules().boardConfidence)
    }

    @Test(arguments: [
        (BoardLook.hidden, 6), (.slanted, 6), (.wood, 4), (.cloth, 4), (.triangle, 4), (.coloured, 2), (.dark, 1),
    ])
    func `boards of other looks are found, and nothing is taken for one`(look: BoardLook, least: Int) throws {
        let seeds = Sweep.of(Array(0..<6), or: [0, 1]) as [UInt64]
        var found = 0
        for seed in seeds {
            let scene = SynthScene.toss(seed: seed, look: look)
            let truth = try #require(scene.tossTruth)
            guard let board = try BoardFinder().board(in: frame(scene.bitmap(at: 0))) else { continue }
            let centre = CGPoint(x: board.box.midX, y: board.box.midY)
            let places = truth.board.map { CGPoint(x: $0[0], y: $0[1]) }
            let real = TossBoardObservation(corners: places, hole: nil).box
            #expect(abs(centre.x - real.midX) < 0.02 && abs(centre.y - real.midY) < 0.02, "\(look) \(seed)")
            found += 1
        }
        #expect(found >= least - 6 + seeds.count, "\(look): \(found) of \(seeds.count)")
    }

    @Test
    func `an empty room and a person hold no board`() throws {
        for seed: UInt64 in 0..<3 {
            let scene = SynthScene.withoutExercise(seed: seed)
            #expect(try BoardFinder().board(in: frame(scene.bitmap(at: 30))) == nil)
        }
    }

    @Test
    func `a rough box says where to search`() throws {
        let scene = SynthScene.toss(seed: 1)
        let truth = try #require(scene.tossTruth)
        let (xs, ys) = (truth.board.map { $0[0] }, truth.board.map { $0[1] })
        let box = CGRect(
            x: xs.min() ?? 0, y: ys.min() ?? 0, width: (xs.max() ?? 0) - (xs.min() ?? 0),
            height: (ys.max() ?? 0) - (ys.min() ?? 0))
        let right = BoardFinder(box: box)
        #expect(try right.board(in: frame(scene.bitmap(at: 0))) != nil)
        let wrong = BoardFinder(box: CGRect(x: 0.4, y: 0.6, width: 0.2, height: 0.2))
        #expect(try wrong.board(in: frame(scene.bitmap(at: 0))) == nil)
    }
}
