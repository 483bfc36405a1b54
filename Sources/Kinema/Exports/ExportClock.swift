import Foundation
import KinemaCore

/// The even time base of an export, for formats that require one rate.
struct ExportClock {
    let rate: Double
    private let start: TimeInterval

    var step: TimeInterval { 1 / rate }

    /// Takes the rate from the usual intervals, ignoring pauses.
    init(_ times: [TimeInterval], _ limits: PersonTrackLimits = PersonTrackLimits()) {
        start = times.first ?? 0
        let intervals = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        let median = intervals.sorted().dropFirst(intervals.count / 2).first ?? 1
        let usual = intervals.filter { $0 < 1.5 * median }
        let sum = usual.reduce(0, +)
        let found = sum > 0 ? Double(usual.count) / sum : 1
        // Rounded to the microhertz, as written, so that times and header agree.
        rate = (min(max(found, limits.lowestRate), limits.highestRate) * 1e6).rounded() / 1e6
    }

    /// The rows from the first sample to the last, on the common clock; nil when there are more than `limit`.
    func grid(_ samples: ArraySlice<PersonSamples.Sample>, limit: Int) -> TimeGrid? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let (low, high) = (row(at: first.time), row(at: last.time))
        return TimeGrid(from: start + low / rate, to: start + high / rate, rate: rate, limit: limit)
    }

    private func row(at time: TimeInterval) -> Double { ((time - start) * rate).rounded() }

    var text: String {
        var json = JSONText()
        json.number(rate, decimals: 6)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
