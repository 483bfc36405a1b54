package import Foundation

/// Moments at an even rate over a stretch of time, never more of them than asked for.
///
/// Whoever turns times into a number of rows, frames or cells goes through here: times come from files and cameras, and
/// two of them far apart, or a rate from two that nearly coincide, ask for any length.
package struct EvenGrid: Sendable, Hashable {
    /// The first moment, seconds.
    package let start: TimeInterval
    /// Moments a second.
    package let rate: Double
    /// How many moments there are, at least 1.
    package let count: Int

    /// The furthest a time may lie from 0, seconds: 317 years, so that times of day since 1970 fit. Beyond it a 64 bit
    /// number no longer tells microseconds apart.
    package static let furthest: TimeInterval = 1e10

    /// Whether a time is a number within `furthest`.
    package static func holds(_ time: TimeInterval) -> Bool { abs(time) <= furthest }

    /// The moments from `start` on that do not lie after `end`.
    ///
    /// Nil when a time or the rate makes no sense, or when there are more than `limit` moments.
    package init?(from start: TimeInterval, to end: TimeInterval, rate: Double, limit: Int) {
        guard Self.holds(start), Self.holds(end), end >= start, rate > 0, rate.isFinite else { return nil }
        // A thousandth of a step: a moment on the grid is not lost to rounding.
        let steps = (end - start) * rate + 0.001
        guard steps < Double(limit) else { return nil }
        (self.start, self.rate, count) = (start, rate, Int(steps) + 1)
    }

    /// The moment of that number, seconds.
    package func time(_ index: Int) -> TimeInterval { start + Double(index) / rate }

    /// All moments, seconds.
    package var times: [TimeInterval] { (0..<count).map(time) }
}

extension Int {
    /// The whole number nearest to a floating point number; the nearest there is for one too large, 0 for none at all.
    ///
    /// `Int(_:)` stops the program on both, so it is for numbers that were bounded before.
    package init(clamping value: Double) {
        let whole = value.rounded()
        self = whole.isNaN ? 0 : Int(exactly: whole) ?? (whole < 0 ? .min : .max)
    }
}
