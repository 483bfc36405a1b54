package import Foundation

/// Evenly spaced times over an interval in seconds, at most a limit, since outside times could ask for any length.
package struct TimeGrid: Sendable, Hashable {
    package let start: TimeInterval
    /// Times a second.
    package let rate: Double
    /// The number of times, at least 1.
    package let count: Int

    /// The largest distance of a time from 0, seconds: 317 years, within which 64-bit numbers resolve microseconds.
    package static let maximumTime: TimeInterval = 1e10

    package static func isValid(_ time: TimeInterval) -> Bool { abs(time) <= maximumTime }

    /// The times from `start` that are not after `end`; nil for invalid numbers or more than `limit` times.
    package init?(from start: TimeInterval, to end: TimeInterval, rate: Double, limit: Int) {
        guard Self.isValid(start), Self.isValid(end), end >= start, rate > 0, rate.isFinite else { return nil }
        // A thousandth of a step, so that rounding loses no time on the grid.
        let steps = (end - start) * rate + 0.001
        guard steps < Double(limit) else { return nil }
        (self.start, self.rate, count) = (start, rate, Int(steps) + 1)
    }

    /// The time at an index, seconds.
    package func time(_ index: Int) -> TimeInterval { start + Double(index) / rate }

    package var times: [TimeInterval] { (0..<count).map(time) }
}

extension Int {
    /// The nearest integer, clamped to the range of `Int`; 0 for NaN. `Int(_:)` traps on such numbers.
    package init(clamping value: Double) {
        let whole = value.rounded()
        self = whole.isNaN ? 0 : Int(exactly: whole) ?? (whole < 0 ? .min : .max)
    }
}
