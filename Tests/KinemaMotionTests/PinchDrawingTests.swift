@testable import KinemaMotion
import Foundation
import KinemaCore
import Testing

struct PinchDrawingTests {
    /// A hand that holds its tips so far apart (hand lengths), with their middle at a place.
    private func hand(_ gap: Double, at place: CGPoint, id: Int = 1) -> HumanHandPoseObservation {
        let points: [JointKey: CGPoint] = [
            .wrist: CGPoint(x: place.x, y: place.y - 0.17), .middleMCP: CGPoint(x: place.x, y: place.y - 0.07),
            .indexMCP: CGPoint(x: place.x - 0.02, y: place.y - 0.07),
            .thumbTip: CGPoint(x: place.x - gap * 0.05, y: place.y),
            .indexTip: CGPoint(x: place.x + gap * 0.05, y: place.y),
        ]
        var pose = Pose(
            from: points.reduce(into: [:]) { $0[$1.key] = JointPoint($1.key, location: $1.value, confidence: 1) })
        pose.id = id
        return HumanHandPoseObservation(pose, chirality: id == 1 ? .right : .left)
    }

    /// A drawing after a row of gaps, the hand moving right by 0.01 a frame.
    private func drawing(_ gaps: [Double?], rule: PinchRule = .sample(), rate: Double = 30) -> PinchDrawing {
        var drawing = PinchDrawing(rule: rule, aspectRatio: 1)
        for (frame, gap) in gaps.enumerated() {
            let hands = gap.map { [hand($0, at: CGPoint(x: 0.3 + 0.01 * Double(frame), y: 0.5))] } ?? []
            drawing.append(hands, at: Double(frame) / rate)
        }
        return drawing
    }

    @Test func `a pinch of which one end is not seen says so`() {
        func unseen(_ gaps: [Double?], x: Double = 0.3, step: Double = 0.01) -> [String?] {
            var drawing = PinchDrawing(rule: .sample(), aspectRatio: 1)
            for (frame, gap) in gaps.enumerated() {
                let place = CGPoint(x: x + step * Double(frame), y: 0.5)
                drawing.append(gap.map { [hand($0, at: place)] } ?? [], at: Double(frame) / 30)
            }
            drawing.finish()
            return drawing.pinches.map(\.unseen)
        }
        let (open, closed) = ([1.0, 1, 1] as [Double?], [Double?](repeating: 0.1, count: 8))
        let gone = [Double?](repeating: nil, count: 70)
        #expect(unseen(open + closed + open) == [nil])
        #expect(unseen(open + closed) == ["the end is after the recording"])
        #expect(unseen(closed + open) == ["the start is before the recording"])
        #expect(unseen([nil, nil] + closed + open, x: 0) == ["the start is out of view"])
        #expect(unseen([nil, nil] + closed + open, x: 0.5) == ["the start is not seen"])
        // The hand goes out at the right, for longer and for less time than a hand is remembered.
        #expect(unseen(open + closed + gone, x: 0.8, step: 0.02) == ["the end is out of view"])
        #expect(unseen(open + closed + Array(gone.prefix(9)), x: 0.8, step: 0.02) == ["the end is out of view"])
        #expect(unseen(open + closed + gone) == ["the end is not seen"])
        #expect(unseen(closed) == ["the start is before the recording; the end is after the recording"])
    }

    @Test func `what was held back is drawn once the pinch is believed`() {
        let drawing = drawing([1, 1, 1, 0.1, 0.1, 0.1, 0.1, 1, 1, 1])
        #expect(drawing.pinches.map { Int(($0.start * 30).rounded()) } == [3])
        #expect(drawing.pinches.map { Int(($0.end * 30).rounded()) } == [7])
        // Frames 3 to 6; what was held back while it came apart is dropped.
        #expect(drawing.strokes.map { $0.times.map { Int(($0 * 30).rounded()) } } == [[3, 4, 5, 6]])
    }

    @Test func `a pinch that was none leaves nothing`() {
        let drawing = drawing([1, 1, 1, 0.1, 0.1, 1, 1, 1])
        #expect(drawing.pinches.isEmpty && drawing.strokes.isEmpty)
    }

    @Test func `frames without the hand end no stroke until two seconds passed`() {
        let gaps: [Double?] = [1, 1, 1, 0.1, 0.1, 0.1]
        let short = drawing(gaps + [Double?](repeating: nil, count: 30) + [0.1, 0.1, 0.1])
        #expect(short.strokes.map(\.points.count) == [6])
        let long = drawing(gaps + [Double?](repeating: nil, count: 70) + [0.1, 0.1, 0.1])
        #expect(long.strokes.map(\.points.count) == [3, 3])
    }

    @Test func `time counts from the last observation not from the first`() {
        // The sample reset at any missing frame once two seconds had passed.
        let gaps: [Double?] = [1, 1, 1] + [Double?](repeating: 0.1, count: 90)
        #expect(drawing(gaps + [nil, 0.1, 0.1]).strokes.count == 1)
    }

    @Test func `clearing leaves no point behind`() {
        var drawing = drawing([1, 1, 1, 0.1, 0.1, 0.1, 0.1])
        drawing.clear()
        #expect(drawing.strokes.isEmpty)
        drawing.append([hand(0.1, at: CGPoint(x: 0.9, y: 0.9))], at: 7.0 / 30)
        #expect(drawing.strokes.map(\.points.count) == [1])
        #expect(drawing.pinches.count == 1)
    }

    @Test func `two hands draw by themselves`() {
        var drawing = PinchDrawing(rule: .sample(), aspectRatio: 1)
        for frame in 0..<10 {
            drawing.append(
                [
                    hand(frame > 2 ? 0.1 : 1, at: CGPoint(x: 0.2, y: 0.5)),
                    hand(frame > 4 ? 0.1 : 1, at: CGPoint(x: 0.8, y: 0.5), id: 2),
                ], at: Double(frame) / 30)
        }
        #expect(drawing.pinches.map(\.id) == [1, 2])
        #expect(drawing.pinches.map(\.hand) == [.right, .left])
        #expect(drawing.strokes.map(\.points.count) == [7, 5])
    }

    @Test func `the line curves from middle to middle`() {
        var stroke = Stroke(id: 1, hand: nil)
        for (index, x) in [0.0, 0.2, 0.4, 0.8].enumerated() {
            stroke.append(CGPoint(x: x, y: x * x), at: Double(index))
        }
        #expect(stroke.path.count == 5)
        #expect(stroke.path.map { $0.control != nil } == [false, false, true, true, false])
        #expect(stroke.path[0].end == CGPoint(x: 0, y: 0))
        #expect(stroke.path[1].end == CGPoint(x: 0.1, y: 0.2 * 0.2 / 2))
        #expect(stroke.path[2].control == CGPoint(x: 0.2, y: 0.2 * 0.2))
        #expect(abs(stroke.path[2].end.x - 0.3) < 1e-12)
        #expect(stroke.path[4].end == CGPoint(x: 0.8, y: 0.8 * 0.8))
    }

    @Test func `a hand that rests draws no jitter`() {
        var drawing = PinchDrawing(rule: .sample(), aspectRatio: 1)
        var noise = Noise(5)
        for frame in 0..<60 {
            let place = CGPoint(x: 0.5 + 0.002 * noise.normal(), y: 0.5 + 0.002 * noise.normal())
            drawing.append([hand(frame > 2 ? 0.1 : 1, at: place)], at: Double(frame) / 30)
        }
        let points = drawing.strokes.first?.points.suffix(30) ?? []
        let squares = points.reduce(0) { $0 + ($1.x - 0.5) * ($1.x - 0.5) }
        let spread = (Double(squares) / Double(max(1, points.count))).squareRoot()
        #expect(!points.isEmpty && spread < 0.0015)
    }
}
