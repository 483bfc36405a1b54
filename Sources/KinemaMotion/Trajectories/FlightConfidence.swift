import Foundation
import KinemaCore

/// How sure it is that a flight is one.
///
/// Some traits every flight has; what lacks one is none. The rest is evidence: each trait counts by how many times more, or
/// less, it shows than in what moves otherwise, in powers of two, and their sum is turned into a probability.
///
/// Every trait is a ratio to the thing's own radius or to what was measured with, so that size, distance, resolution and
/// frame rate do not matter.
package struct FlightConfidence: Sendable {
    /// What every flight must show: a score of 0...1 each.
    package let needs: [(name: String, value: Double, score: Double)]
    /// What makes it likely: powers of two for and against.
    package let evidence: [(name: String, value: Double, weight: Double)]

    /// Judges a flight.
    package init(_ flight: Flight) {
        let (fit, radius, points) = (flight.fit, max(flight.radius, 1e-9), flight.points)
        let count = Double(points.count)
        let seconds = flight.end - flight.start
        let path = Self.length(points) / radius
        let fall = -fit.acceleration.y
        let variance = points.reduce(0) { $0 + ($1.object.radius - radius) * ($1.object.radius - radius) } / count
        let support = count / Double(max(flight.frameCount, 1))
        let size = variance.squareRoot() / radius
        let alone = points.map(\.object.isolation).sorted()[points.count * 3 / 4]
        // What is left over tells how well the middle is really known.
        let noise = max(1, fit.residual / (points.map(\.object.deviation).max() ?? 1))
        let certainty = fall / max(fit.accelerationDeviation.y * noise, 1e-12)
        // Coming nearer or going away at up to 0.8 distances a second speeds up or slows down by twice that.
        let sideways = max(0, abs(fit.acceleration.x) - 1.6 * abs(fit.velocity.x)) / max(fall, 1e-12)
        let pull = log(max(fall / radius, 1e-3))
        needs = [
            Self.need("points", count, from: 3, to: 7),
            Self.need("seconds", seconds, from: 0.1, to: 0.25),
            Self.need("path", path, from: 5, to: 12),
            Self.need("residual", fit.residual / radius, from: 0.4, to: 0.2),
            Self.need("fall", pull, from: log(20), to: log(40)),
            Self.need("plunge", pull, from: log(1500), to: log(700)),
            Self.need("certainty", certainty, from: 3, to: 8),
            Self.need("sideways", sideways, from: 0.8, to: 0.4),
            Self.need("support", support, from: 0.4, to: 0.65),
            Self.need("alone", alone, from: 0.45, to: 0.7),
            Self.need("size", size, from: 0.55, to: 0.35),
        ]
        evidence = [
            Self.part("extent", seconds * path, usual: 7),
            Self.part("smoothness", radius / max(fit.residual, 1e-12), usual: 1 / 0.15),
            Self.part("certainty", certainty, usual: 16),
            Self.part("size", 1 / max(size, 1e-3), usual: 1 / 0.2),
            (name: "alone", value: alone, weight: 6 * (alone - 0.8)),
            (name: "support", value: support, weight: 5 * (support - 0.8)),
        ]
    }

    /// 0...1.
    package var value: Double {
        let sum = evidence.reduce(0) { $0 + $1.weight }
        return needs.reduce(1) { $0 * $1.score } / (1 + exp(-1.5 * (sum - 0.35)))
    }

    /// The way through all points.
    private static func length(_ points: [Flight.Point]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { sum, pair in
            let way = pair.1.object.steadyPosition - pair.0.object.steadyPosition
            return sum + (way * way).sum().squareRoot()
        }
    }

    /// 0 at `from` and beyond, 1 at `to` and beyond, eased between.
    private static func need(
        _ name: String, _ value: Double, from: Double, to: Double
    ) -> (name: String, value: Double, score: Double) {
        let share = min(max((value - from) / (to - from), 0), 1)
        return (name, value, share.isNaN ? 0 : share * share * (3 - 2 * share))
    }

    /// How many times what limbs usually show, as a power of two; none counts for more than three times.
    private static func part(
        _ name: String, _ value: Double, usual: Double
    ) -> (name: String, value: Double, weight: Double) {
        (name, value, min(max(log2(max(value, 1e-9) / usual), -2), 1.6))
    }
}
