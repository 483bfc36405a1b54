extension Collection where Element: BinaryFloatingPoint {
    /// The median: the mean of the middle two of an even number; 0 without elements.
    @inlinable package var median: Element {
        guard !isEmpty else { return 0 }
        let (sorted, half) = (sorted(), count / 2)
        return count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }
}

extension Collection where Element: Comparable {
    /// The element at a share, 0...1, of the sorted elements (0.5: the upper median); nil without elements.
    @inlinable package func quantile(_ share: Double) -> Element? {
        isEmpty ? nil : sorted()[Swift.min(Int(share * Double(count)), count - 1)]
    }
}

/// The SplitMix64 random number generator, reproducible on every machine (Steele, Lea, Flood: Fast Splittable
/// Pseudorandom Number Generators, OOPSLA 2014).
package struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

package enum Assignment {
    /// The column of each row with the minimal sum of costs; nil for a row that costs less `alone`.
    ///
    /// The method of shortest augmenting paths (Jonker and Volgenant, "A shortest augmenting path algorithm for dense
    /// and sparse linear assignment problems", 1987), in time proportional to rows² × (rows + columns). Costs must be
    /// finite.
    package static func minimumCost(_ costs: [[Double]], alone: Double) -> [Int?] {
        let columns = costs.first?.count ?? 0
        let width = columns + costs.count
        // One more column for each row leaves it alone.
        let padded = costs.enumerated().flatMap { row, values in
            values + (0..<costs.count).map { $0 == row ? alone : unreachable }
        }
        return complete(padded, rows: costs.count, columns: width).map { $0 < columns ? $0 : nil }
    }

    /// The column of each row such that the sum of values is maximal; nil for rows whose pair would be worth nothing.
    package static func maximumValue(_ values: [[Double]]) -> [Int?] {
        let pairs = minimumCost(values.map { $0.map { -$0 } }, alone: 0)
        return pairs.enumerated().map { row, column in column.flatMap { values[row][$0] > 0 ? $0 : nil } }
    }

    /// More than any sum of real costs.
    private static let unreachable = 1e12

    /// A column for every row, of a matrix stored row by row with at least as many columns as rows.
    private static func complete(_ costs: [Double], rows: Int, columns: Int) -> [Int] {
        // Index 0 means none, so rows and columns count from 1.
        var rowPrices = [Double](repeating: 0, count: rows + 1)
        var columnPrices = [Double](repeating: 0, count: columns + 1)
        var owners = [Int](repeating: 0, count: columns + 1)
        for row in stride(from: 1, through: rows, by: 1) {
            owners[0] = row
            var least = [Double](repeating: .infinity, count: columns + 1)
            var previous = [Int](repeating: 0, count: columns + 1)
            var isVisited = [Bool](repeating: false, count: columns + 1)
            var column = 0
            repeat {
                isVisited[column] = true
                let owner = owners[column]
                var (step, next) = (Double.infinity, 0)
                for other in stride(from: 1, through: columns, by: 1) where !isVisited[other] {
                    let cost = costs[(owner - 1) * columns + other - 1] - rowPrices[owner] - columnPrices[other]
                    if cost < least[other] { (least[other], previous[other]) = (cost, column) }
                    if least[other] < step { (step, next) = (least[other], other) }
                }
                for other in 0...columns {
                    if isVisited[other] {
                        rowPrices[owners[other]] += step
                        columnPrices[other] -= step
                    } else {
                        least[other] -= step
                    }
                }
                column = next
            } while owners[column] != 0
            while column != 0 {
                owners[column] = owners[previous[column]]
                column = previous[column]
            }
        }
        var result = [Int](repeating: 0, count: rows)
        for column in stride(from: 1, through: columns, by: 1) where owners[column] > 0 {
            result[owners[column] - 1] = column - 1
        }
        return result
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index at which the predicate holds, in a collection where it fails up to a point and holds from there
    /// on.
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
