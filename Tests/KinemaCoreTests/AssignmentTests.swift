import Testing

@testable import KinemaCore

struct AssignmentTests {
    /// The lowest sum of all ways to pair rows with columns or to leave them alone, by trying every one.
    private func lowest(_ costs: [[Double]], alone: Double, from row: Int = 0, taken: Set<Int> = []) -> Double {
        guard row < costs.count else { return 0 }
        var best = alone + lowest(costs, alone: alone, from: row + 1, taken: taken)
        for column in costs[row].indices where !taken.contains(column) {
            best = min(
                best,
                costs[row][column] + lowest(costs, alone: alone, from: row + 1, taken: taken.union([column])))
        }
        return best
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func `no other way of pairing costs less`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let (rows, columns) = (Int(random.next() % 6) + 1, Int(random.next() % 6) + 1)
        let costs = (0..<rows).map { _ in (0..<columns).map { _ in Double(random.next() % 2000) / 1000 } }
        let pairs = Assignment.minimumCost(costs, alone: 1)
        let used = pairs.compactMap(\.self)
        #expect(Set(used).count == used.count)
        let sum = zip(costs, pairs).reduce(0) { $0 + ($1.1.map { [row = $1.0] in row[$0] } ?? 1) }
        #expect(abs(sum - lowest(costs, alone: 1)) < 1e-9)
    }

    @Test func `the nearest pair is given up where that helps another more`() {
        #expect(Assignment.minimumCost([[0.1, 0.2], [0.3, 5]], alone: 10) == [1, 0])
        #expect(Assignment.minimumCost([[0.1, 0.2], [0.3, 5]], alone: 0.25) == [0, nil])
        #expect(Assignment.minimumCost([[], []], alone: 1) == [nil, nil])
        #expect(Assignment.minimumCost([], alone: 1).isEmpty)
    }

    @Test func `worthless pairs are none`() {
        #expect(Assignment.maximumValue([[0, 0.4], [0.9, 0.8]]) == [1, 0])
        #expect(Assignment.maximumValue([[0, 0], [0, 2]]) == [nil, 1])
    }
}
