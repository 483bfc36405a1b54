@testable import KinemaCounting
import Foundation
import Testing

struct SwingTrackerTests {
    /// Pushes a row of values, one every 0.1 s, and returns the swings.
    private func swings(_ values: [Double], minimum: Double = 0.3) -> [Swing] {
        var tracker = SwingTracker(minimum: minimum)
        var found = values.enumerated().compactMap { tracker.push($1, at: Double($0) * 0.1) }
        if let last = tracker.finish() { found.append(last) }
        return found
    }

    private let rest = [0.0, 0, 0, 0]
    private let way = [0.1, 0.4, 0.8, 1, 0.9, 0.5, 0.2, 0]

    @Test func `there and back is one swing, from a tenth to a tenth of the way`() throws {
        let swing = try #require(swings(rest + way + rest).first)
        #expect(swings(rest + way + rest).count == 1)
        #expect(abs(swing.start - 0.4) < 0.01 && abs(swing.far - 0.7) < 1e-9 && abs(swing.end - 1.05) < 0.01)
        #expect(swing.high == 1 && swing.before == 0 && abs(swing.after) < 0.2)
    }

    @Test(arguments: [(1, 1), (3, 3), (8, 8)])
    func `swings without a pause are told apart`(repeats: Int, count: Int) {
        #expect(swings(rest + Array(repeating: way, count: repeats).flatMap(\.self) + rest).count == count)
    }

    @Test func `a bounce at the far end is no swing of its own`() {
        #expect(swings(rest + [0.4, 0.9, 0.7, 0.95, 0.65, 1, 0.5, 0.1, 0] + rest).count == 1)
    }

    @Test func `what stays out does not count`() {
        #expect(swings(rest + [0.4, 0.8, 1, 1, 1, 1, 0.8, 0.9, 1]).isEmpty)
    }

    @Test func `trembling does not count, nor a way smaller than the least`() {
        #expect(swings((0..<60).map { 0.05 * sin(Double($0)) }).isEmpty)
        #expect(swings(rest + way.map { $0 * 0.25 } + rest).isEmpty)
    }

    @Test func `small ways count until larger ones show what is usual`() {
        let small = way.map { $0 * 0.3 }
        #expect(swings(rest + small + small + rest).count == 2)
        #expect(swings(rest + way + way + rest + small + rest + way + rest).count == 3)
    }

    @Test func `a recording that ends on the way back has its swing when most of it is done`() {
        #expect(swings(rest + [0.4, 0.8, 1, 0.8, 0.3]).count == 1)
        #expect(swings(rest + [0.4, 0.8, 1, 0.8, 0.35]).isEmpty)
        #expect(swings(rest + [0.4, 0.8, 1, 0.8, 0.6]).isEmpty)
    }

    @Test func `where a way back that the recording cuts off would have ended is not known`() {
        #expect(swings(rest + [0.4, 0.8, 1, 0.8, 0.2]).map(\.isSeenToItsEnd) == [false])
        #expect(swings(rest + [0.4, 0.8, 1, 0.8, 0.2, 0.2, 0.2]).map(\.isSeenToItsEnd) == [true])
    }

    @Test func `an interruption gives up what is under way`() {
        var tracker = SwingTracker(minimum: 0.3)
        var found = 0
        for (index, value) in (rest + [0.4, 0.8, 1]).enumerated() {
            if tracker.push(value, at: Double(index) * 0.1) != nil { found += 1 }
        }
        tracker.interrupt()
        for (index, value) in ([0.9, 0.5, 0.2, 0] + rest).enumerated() {
            if tracker.push(value, at: 1 + Double(index) * 0.1) != nil { found += 1 }
        }
        #expect(found == 0)
    }
}
