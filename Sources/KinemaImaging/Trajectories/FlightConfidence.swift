import Foundation
import KinemaCore

/// The confidence that a candidate is a flight: a logistic score whose weights were fitted to candidates of real
/// recordings and rendered scenes (`script/trajectories fit`). Quantities are relative to the object's radius or to the
/// measurement's deviation. The score is multiplied by the possibility that the candidate is a flight at all.
package struct FlightConfidence: Sendable {
    package struct Quantity: Sendable {
        package let name: String
        package let value: Double
        /// The limited value or its logarithm, before scaling.
        package let term: Double
        /// The contribution to the logarithm of the odds, relative to a typical flight; negative contradicts a flight.
        package let weight: Double
        /// The meaning of a value that contradicts a flight.
        fileprivate let doubt: String
    }

    package let quantities: [Quantity]
    /// The possibility of a flight, 0...1: it falls, at a rate plausible for an object of its size, and moves on.
    package let possibility: Double
    /// The confidence, 0...1; at 0.9 a candidate is as likely a flight as not where little flies.
    package let value: Double

    package init(_ flight: Flight) {
        var odds = FlightWeights.constant
        let values = Self.values(flight)
        quantities = zip(FlightTerm.all, zip(values, FlightWeights.terms)).map { term, pair in
            let (value, numbers) = pair
            let formed = term.form(value)
            odds += numbers.weight * (formed - numbers.mean) / numbers.deviation
            return Quantity(
                name: term.name, value: value, term: formed,
                weight: numbers.weight * (formed - numbers.typical) / numbers.deviation, doubt: term.doubt)
        }
        possibility = zip(FlightTerm.all, values).reduce(1) { $0 * $1.0.possibility($1.1) }
        value = odds.isFinite ? possibility / (1 + exp(-min(max(odds, -30), 30))) : 0
    }

    /// The strongest arguments against a flight, in words; empty if there are none.
    package var doubts: [String] {
        let impossible = zip(FlightTerm.all, quantities).filter { $0.possibility($1.value) < 0.5 }.map(\.1)
        let unlikely = quantities.filter { one in one.weight < -0.5 && !impossible.contains { $0.name == one.name } }
        return (impossible + unlikely.sorted { $0.weight < $1.weight }).prefix(2).map(\.doubt)
    }

    /// The measured values, in the order of `FlightTerm.all`.
    private static func values(_ flight: Flight) -> [Double] {
        let (fit, radius, points) = (flight.fit, max(flight.radius, 1e-9), flight.points)
        let count = Double(points.count)
        let steps = zip(points, points.dropFirst()).map { one, next in
            (length: (next.object.steadyPosition - one.object.steadyPosition).length, isResting: next.isResting)
        }
        let fall = -fit.acceleration.y
        let variance = points.reduce(0) { $0 + ($1.object.radius - radius) * ($1.object.radius - radius) } / count
        let deviations = points.map(\.object.deviation)
        // The residual shows how accurate the measured positions really are.
        let inaccuracy = max(1, fit.residual / (deviations.max() ?? 1))
        // Moving towards or away from the camera at up to 0.8 distances per second changes the speed by twice that.
        let sideways = max(0, abs(fit.acceleration.x) - 1.6 * abs(fit.velocity.x))
        return [
            count, flight.end - flight.start, steps.reduce(0) { $0 + $1.length } / radius, fit.residual / radius,
            radius * count / max(deviations.reduce(0, +), 1e-12),
            fall / max(fit.accelerationDeviation.y * inaccuracy, 1e-12), fall / radius, sideways / max(fall, 1e-12),
            points.map(\.object.isolation).sorted()[points.count * 3 / 4], variance.squareRoot() / radius,
            Double(steps.count { $0.isResting && $0.length > radius }) / max(1, count - 1),
        ]
    }
}

private struct FlightTerm: Sendable {
    enum Form: Sendable {
        case plain
        case logarithm
        /// The square of the logarithm of the ratio to a centre.
        case distance(from: Double)
    }

    let name: String
    let shape: Form
    /// Values are clamped to this range.
    let range: ClosedRange<Double>
    let doubt: String
    /// The values between which a candidate becomes possible, one pair for too low and one for too high.
    let limits: [(no: Double, yes: Double)]

    init(
        _ name: String, _ shape: Form, _ range: ClosedRange<Double>, _ doubt: String,
        limits: [(no: Double, yes: Double)] = []
    ) {
        (self.name, self.shape, self.range, self.doubt, self.limits) = (name, shape, range, doubt, limits)
    }

    /// Lengths are in the object's radii, times in seconds.
    static let all = [
        FlightTerm("points", .logarithm, 5...20, "it was seen in few frames"),
        FlightTerm("seconds", .logarithm, 0.08...1, "it took long for its path"),
        FlightTerm("path", .logarithm, 2...60, "it moved only a few times its size"),
        FlightTerm("residual", .logarithm, 0.02...1, "it deviates from a parabola by much of its size"),
        FlightTerm("accuracy", .logarithm, 1...12, "it is only a few pixels large"),
        FlightTerm(
            "certainty", .logarithm, 0.5...100, "its fall is hardly larger than the measurement error",
            limits: [(2, 4)]),
        // Thrown objects have a radius of 2 to 15 cm: 9.81 m/s² are 65 to 490 radii, and a quarter at half speed.
        FlightTerm(
            "gravity", .distance(from: 150), 5...4000, "it falls too slowly or too fast for its size",
            limits: [(10, 20), (1500, 700)]),
        FlightTerm("sideways", .plain, 0...1.5, "it accelerates sideways"),
        FlightTerm("isolation", .plain, 0...1, "other things move around it", limits: [(0.35, 0.65)]),
        FlightTerm("size", .logarithm, 0.03...1, "its size changes"),
        FlightTerm(
            "resting", .plain, 0...1, "its points are things that do not move", limits: [(0.8, 0.4)]),
    ]

    /// The possibility of a flight with this measured value, 0...1.
    func possibility(_ value: Double) -> Double {
        limits.reduce(1) { product, limit in
            let share = min(max((value - limit.no) / (limit.yes - limit.no), 0), 1)
            return share.isNaN ? 0 : product * share * share * (3 - 2 * share)
        }
    }

    /// A measured value transformed for the score.
    func form(_ value: Double) -> Double {
        let limited = value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
        return switch shape {
        case .plain: limited
        case .logarithm: log(limited)
        case .distance(let center): log(limited / center) * log(limited / center)
        }
    }
}
