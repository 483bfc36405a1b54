package import Foundation

/// Smooths a number over time, strongly at rest and hardly in fast motion, at any frame rate.
///
/// Casiez, Roussel, Vogel: "1 € Filter", CHI 2012.
package struct OneEuroFilter: Sendable {
    /// The cutoff frequency at rest, hertz.
    package var minimumCutoff: Double
    /// The rise of the cutoff with speed: hertz per scaled unit a second.
    package var beta: Double
    /// The cutoff frequency for the speed itself, hertz.
    package var derivativeCutoff: Double

    private var last: (raw: Double, smooth: Double, speed: Double, time: TimeInterval)?

    package init(minimumCutoff: Double, beta: Double, derivativeCutoff: Double = 1) {
        (self.minimumCutoff, self.beta, self.derivativeCutoff) = (minimumCutoff, beta, derivativeCutoff)
    }

    /// The smoothed value at a time in seconds; the raw value, without an update, if the time does not increase.
    ///
    /// `scale` converts the value's unit to the one `beta` was chosen for, such as 1 / the object's size.
    package mutating func filter(_ value: Double, at time: TimeInterval, scale: Double = 1) -> Double {
        guard let last else {
            self.last = (value, value, 0, time)
            return value
        }
        let interval = time - last.time
        guard interval > 0, value.isFinite else { return value }
        let rawSpeed = (value - last.raw) * scale / interval
        let speed = last.speed + Self.weight(derivativeCutoff, interval) * (rawSpeed - last.speed)
        let weight = Self.weight(minimumCutoff + beta * abs(speed), interval)
        let smooth = last.smooth + weight * (value - last.smooth)
        self.last = (value, smooth, speed, time)
        return smooth
    }

    package mutating func reset() { last = nil }

    /// The weight of a new value in a one-pole low-pass filter.
    private static func weight(_ cutoff: Double, _ interval: TimeInterval) -> Double {
        1 / (1 + 1 / (2 * Double.pi * cutoff * interval))
    }
}
