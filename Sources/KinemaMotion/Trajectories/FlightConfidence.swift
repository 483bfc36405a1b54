import Foundation
import KinemaCore

/// How sure it is that a flight is one: a product of how well each trait of free fall shows, 0...1 each.
///
/// Every trait is a ratio to the thing's own radius or to what was measured with, so that size, distance, resolution and
/// frame rate do not matter.
package struct FlightConfidence: Sendable {
    /// The traits by name, before they are judged; for finding out why something is taken for what it is not.
    package let traits: [(name: String, value: Double, score: Double)]

    /// Judges a flight.
    package init(_ flight: Flight) {
        let (fit, radius) = (flight.fit, max(flight.radius, 1e-9))
        let points = flight.points
        let count = Double(points.count)
        let fall = -fit.acceleration.y / radius
        var path = 0.0
        for (point, next) in zip(points, points.dropFirst()) {
            let way = next.object.steadyPosition - point.object.steadyPosition
            path += (way * way).sum().squareRoot()
        }
        let radii = points.map { $0.object.radius }
        let variance = radii.reduce(0) { $0 + ($1 - radius) * ($1 - radius) } / count
        let alone = points.map(\.object.isolation).sorted()[points.count / 2]
        // What is left over tells how well the middle is really known.
        let deviation = fit.accelerationDeviation.y * max(1, fit.residual / (points.map(\.object.deviation).max() ?? 1))
        traits = [
            Self.trait("points", count, from: 3, to: 9),
            Self.trait("seconds", flight.end - flight.start, from: 0.1, to: 0.45),
            Self.trait("residual", fit.residual / radius, from: 0.4, to: 0.17),
            Self.trait("fall", log(max(fall, 1e-3)), from: log(20), to: log(40)),
            Self.trait("plunge", log(max(fall, 1e-3)), from: log(1500), to: log(700)),
            Self.trait("certainty", -fit.acceleration.y / max(deviation, 1e-12), from: 4, to: 18),
            Self.trait("sideways", abs(fit.acceleration.x / fit.acceleration.y), from: 0.8, to: 0.5),
            Self.trait("path", path / radius, from: 6, to: 18),
            Self.trait("support", count / Double(max(flight.frameCount, 1)), from: 0.45, to: 0.7),
            Self.trait("alone", alone, from: 0.5, to: 0.75),
            Self.trait("size", variance.squareRoot() / radius, from: 0.5, to: 0.28),
        ]
    }

    /// 0...1.
    package var value: Double { traits.reduce(1) { $0 * $1.score } }

    /// 0 at `from` and beyond, 1 at `to` and beyond, eased between.
    private static func trait(
        _ name: String, _ value: Double, from: Double, to: Double
    ) -> (name: String, value: Double, score: Double) {
        let share = min(max((value - from) / (to - from), 0), 1)
        return (name, value, share.isNaN ? 0 : share * share * (3 - 2 * share))
    }
}
