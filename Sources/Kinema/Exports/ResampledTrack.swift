import Foundation
import KinemaCore

/// One person's numbers at an even rate without gaps, as motion-capture formats require.
///
/// As in Sports2D, short gaps are filled linearly and longer ones with the last value.
struct ResampledTrack {
    let times: [TimeInterval]
    private let longestGap: Int
    /// One column per name, with a number for every time; nil for columns never seen.
    private(set) var columns: [[Double]?] = []

    init(_ samples: ArraySlice<PersonSamples.Sample>, count: Int, grid: TimeGrid, longestGap: Int) {
        (times, self.longestGap) = (grid.times, longestGap)
        columns = (0..<count).map { column in
            let known = samples.compactMap { sample in
                sample.values[column].flatMap { $0.isFinite ? (time: sample.time, value: $0) : nil }
            }
            return known.isEmpty ? nil : fill(known, step: 1 / grid.rate)
        }
    }

    private func fill(_ known: [(time: TimeInterval, value: Double)], step: TimeInterval) -> [Double] {
        var next = 0
        return times.map { time in
            // Within a hundredth of a frame, use the sample itself instead of interpolating.
            while next < known.count, known[next].time < time - step / 100 { next += 1 }
            guard next < known.count else { return known[known.count - 1].value }
            let after = known[next]
            guard next > 0, after.time > time + step / 100 else { return after.value }
            let before = known[next - 1]
            let gap = after.time - before.time
            guard gap < (Double(longestGap) + 1.5) * step else { return before.value }
            return before.value + (after.value - before.value) * (time - before.time) / gap
        }
    }
}
