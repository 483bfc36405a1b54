import Foundation
@testable import KinemaToss
import Testing

/// A board from above as a grid of colours, with squares on it.
private struct DrawnBoard {
    static let columns = 48
    static let rows = 96

    /// A bright board with a dark hole near its upper end, and bags: column and row of each one's middle.
    static func grid(_ bags: [(x: Int, y: Int)]) -> ColorGrid {
        var cells = [SIMD3<Float>](repeating: SIMD3(210, 200, 180), count: columns * rows)
        for row in 0..<rows {
            for column in 0..<columns where hypot(Double(column - 24), Double(row - 18)) < 6 {
                cells[row * columns + column] = SIMD3(20, 18, 18)
            }
        }
        for bag in bags {
            for row in max(bag.y - 6, 0)..<min(max(bag.y + 6, 0), rows) {
                for column in max(bag.x - 6, 0)..<min(max(bag.x + 6, 0), columns) {
                    cells[row * columns + column] = SIMD3(160, 20, 40)
                }
            }
        }
        return ColorGrid(columns: columns, rows: rows, cells: cells)
    }
}

@Suite("Bags that arrive on the board, seen from above")
struct BagArrivalDetectorTests {
    /// Runs a script: for each frame, 30 a second, where bags are.
    private func arrivals(_ seconds: Double, _ bags: (Double) -> [(x: Int, y: Int)]) -> [BagArrival] {
        var detector = BagArrivalDetector()
        var found: [BagArrival] = []
        for frame in 0..<Int(seconds * 30) {
            let time = Double(frame) / 30
            found += detector.update(DrawnBoard.grid(bags(time)), at: time)
        }
        return found + detector.finish()
    }

    /// A bag that slides up the board from its lower end within 0.6 s from a moment on, as far as a row.
    private func slide(_ time: Double, from start: Double, to row: Int) -> (x: Int, y: Int)? {
        guard time >= start else { return nil }
        let share = min((time - start) / 0.6, 1)
        return (24, Int(96 - Double(96 - row) * share))
    }

    @Test
    func `a bag that comes to lie is on the board, when it came`() {
        let found = arrivals(4) { time in [slide(time, from: 1.5, to: 50)].compactMap(\.self) }
        #expect(found.map(\.landing) == [.board])
        #expect(abs((found.first?.time ?? 0) - 1.5) < 0.15)
        #expect(abs((found.first?.location.y ?? 0) - 46.0 / 96) < 0.05)
    }

    @Test
    func `a bag that is gone where nothing is at the edge went through the hole`() {
        let found = arrivals(4) { time in time > 2.1 ? [] : [slide(time, from: 1.5, to: 18)].compactMap(\.self) }
        #expect(found.map(\.landing) == [.hole])
        #expect(abs((found.first?.time ?? 0) - 1.5) < 0.15)
    }

    @Test
    func `a bag that knocks another in is one arrival through the hole`() {
        let found = arrivals(4) { time in
            time > 2.1 ? [] : [(24, 28)] + [slide(time, from: 1.5, to: 18)].compactMap(\.self)
        }
        #expect(found.map(\.landing) == [.hole])
    }

    @Test
    func `a bag that slides over the far edge is off`() {
        let found = arrivals(4) { time in time > 2.2 ? [] : [slide(time, from: 1.5, to: -8)].compactMap(\.self) }
        #expect(found.map(\.landing) == [.off])
    }

    @Test
    func `a still board, a slow change of light and a flicker at the edge tell nothing`() {
        #expect(arrivals(3) { _ in [(10, 60)] }.isEmpty)
        #expect(arrivals(3) { time in time > 1 && time < 1.1 ? [(24, 98)] : [] }.isEmpty)
    }

    @Test
    func `what stirs along the edge all the time does not hide the bags`() {
        let found = arrivals(4) { time in
            let foot = (x: 30 + Int(time * 10) % 12, y: 100)
            return [foot] + [slide(time, from: 1.5, to: 50)].compactMap(\.self)
        }
        #expect(found.map(\.landing) == [.board])
    }

    @Test
    func `bag after bag is reported, each by itself`() {
        let found = arrivals(8) { time in
            var bags = [slide(time, from: 1, to: 60), slide(time, from: 3, to: 40)].compactMap(\.self)
            if time < 5.6, let third = slide(time, from: 5, to: 18) { bags.append(third) }
            return bags
        }
        #expect(found.map(\.landing) == [.board, .board, .hole])
        for (arrival, start) in zip(found, [1.0, 3, 5]) { #expect(abs(arrival.time - start) < 0.15) }
    }
}
