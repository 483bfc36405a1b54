import Foundation
import KinemaCore

/// One person's numbers on an even clock, without gaps: what motion-capture formats ask for.
///
/// As Sports2D does it: gaps of at most 100 frames are filled along a straight line, longer ones with what was last
/// seen, and rows begin and end with the person.
struct PersonTrack {
    /// Gaps up to so many frames are interpolated (Sports2D's `interp_gap_smaller_than`).
    static let longestGap = 100

    /// Seconds, evenly spaced.
    private(set) var times: [TimeInterval] = []
    /// A column a name, each with a number for every time; columns never seen are left out.
    private(set) var columns: [[Double]?] = []

    /// Puts samples of `count` columns on the clock; a number that is not known is nil.
    init(_ samples: [(time: TimeInterval, values: [Double?])], count: Int, clock: EvenClock) {
        guard let first = samples.first, let last = samples.last else { return }
        let (low, high) = (clock.index(at: first.time), clock.index(at: last.time))
        times = (low...max(low, high)).map(clock.time)
        columns = (0..<count).map { column in
            let known = samples.compactMap { sample in
                sample.values[column].flatMap { $0.isFinite ? (time: sample.time, value: $0) : nil }
            }
            return known.isEmpty ? nil : fill(known, step: clock.step)
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
            guard gap < (Double(Self.longestGap) + 1.5) * step else { return before.value }
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
    init(_ times: [TimeInterval]) {
        start = times.first ?? 0
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        let middle = steps.sorted().dropFirst(steps.count / 2).first ?? 1
        let usual = steps.filter { $0 < 1.5 * middle }
        let sum = usual.reduce(0, +)
        // To the microhertz as it is written, so that times and header agree.
        rate = sum > 0 ? (Double(usual.count) / sum * 1e6).rounded() / 1e6 : 1
    }

    func index(at time: TimeInterval) -> Int { Int(((time - start) * rate).rounded()) }
    func time(_ index: Int) -> TimeInterval { start + Double(index) / rate }

    /// The rate as text, without needless zeros.
    var text: String {
        var json = JSONText()
        json.number(rate, decimals: 6)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
