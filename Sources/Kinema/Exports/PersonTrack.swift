import Foundation
import KinemaCore

/// One person's numbers on an even clock, without gaps: what motion-capture formats ask for.
///
/// As Sports2D does it: short gaps are filled along a straight line, longer ones with what was last seen, and rows begin
/// and end with the person.
struct PersonTrack {
    /// Seconds, evenly spaced.
    let times: [TimeInterval]
    private let longestGap: Int
    /// A column a name, each with a number for every time; columns never seen are left out.
    private(set) var columns: [[Double]?] = []

    /// Puts samples of `count` columns on the clock; a number that is not known is nil.
    init(_ samples: ArraySlice<PersonSamples.Sample>, count: Int, grid: EvenGrid, longestGap: Int) {
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
            // A hundredth of a frame is no gap: the sample itself, not a mixture.
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

/// Times of frames made even: cameras and phones do not keep quite to a rate, formats with one rate demand it.
struct EvenClock {
    /// Frames a second.
    let rate: Double
    private let start: TimeInterval

    /// Seconds from one row to the next.
    var step: TimeInterval { 1 / rate }

    /// Takes the rate from the usual steps: those that are not a pause.
    init(_ times: [TimeInterval], _ limits: PersonTrackLimits = PersonTrackLimits()) {
        start = times.first ?? 0
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        let middle = steps.sorted().dropFirst(steps.count / 2).first ?? 1
        let usual = steps.filter { $0 < 1.5 * middle }
        let sum = usual.reduce(0, +)
        let found = sum > 0 ? Double(usual.count) / sum : 1
        // To the microhertz as it is written, so that times and header agree.
        rate = (min(max(found, limits.lowestRate), limits.highestRate) * 1e6).rounded() / 1e6
    }

    /// The rows from the first sample to the last, on the clock of the whole; nil when there are more than `limit`.
    func grid(_ samples: ArraySlice<PersonSamples.Sample>, limit: Int) -> EvenGrid? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let (low, high) = (row(at: first.time), row(at: last.time))
        return EvenGrid(from: start + low / rate, to: start + high / rate, rate: rate, limit: limit)
    }

    /// The number of a row, whole and as large as times make it.
    private func row(at time: TimeInterval) -> Double { ((time - start) * rate).rounded() }

    /// The rate as text, without needless zeros.
    var text: String {
        var json = JSONText()
        json.number(rate, decimals: 6)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
