import Foundation
import KinemaCommands
import Kinema
import KinemaSynth

struct TrajectoriesScore {
    /// The tolerance for the curvature of a parabola, as a share.
    static let curvatureTolerance = 0.03

    let confidence: Double
    private(set) var found = 0, missed = 0, surplus = 0
    /// The errors of the curvature a, as a share of the true one.
    private(set) var curvatureErrors: [Double] = []
    /// The largest distance of each parabola from the true one along the true path, in pixels.
    private(set) var curveErrors: [Double] = []
    /// The median distance of each flight's points from the true ones, in pixels.
    private(set) var pointErrors: [Double] = []

    /// Adds a scene; returns one line per missed, false or inexact flight.
    mutating func add(
        _ truth: [FlightTruth], _ flights: [Flight], size: (width: Double, height: Double)
    ) -> [String] {
        var lines: [String] = []
        var used: Set<UUID> = []
        for one in truth {
            let best = flights.compactMap { flight in
                Agreement(flight, one, width: size.width, height: size.height).map { (flight, $0) }
            }.max { $0.1.count < $1.1.count }
            let description = String(
                format: "%.2f to %.2f s, %d points, radius %.1f px", one.start, one.end, one.times.count,
                one.radius * size.width)
            guard let (flight, agreement) = best, flight.confidence >= confidence else {
                missed += 1
                lines.append("missed \(description), " + (best.map { Self.reasons($0.0) } ?? "nothing was tracked"))
                continue
            }
            used.insert(flight.id)
            found += 1
            pointErrors.append(agreement.median)
            lines += compare(flight, one, size, description)
        }
        for flight in flights where flight.confidence >= confidence && !used.contains(flight.id) {
            surplus += 1
            lines.append(
                String(
                    format: "false or duplicate: %.2f to %.2f s, %d points, radius %.1f px, ", flight.start, flight.end,
                    flight.points.count, flight.radius * size.width) + Self.reasons(flight))
        }
        return lines
    }

    private mutating func compare(
        _ flight: Flight, _ truth: FlightTruth, _ size: (width: Double, height: Double), _ description: String
    ) -> [String] {
        guard truth.coefficients.count == 3 else { return [] }
        let aspect = size.width / size.height
        let curve = flight.parabola
        let (a, b, c) = (truth.coefficients[0], truth.coefficients[1], truth.coefficients[2])
        let error = abs(curve.a * aspect / a - 1)
        curvatureErrors.append(error)
        let deviations = truth.points.map { abs(curve($0[0]) * aspect - ((a * $0[0] + b) * $0[0] + c)) * size.height }
        curveErrors.append(deviations.max() ?? 0)
        guard error > Self.curvatureTolerance else { return [] }
        return [
            String(format: "curvature off by %.1f %% (%.1f px): ", error * 100, deviations.max() ?? 0) + description
        ]
    }

    /// The strongest arguments against a flight.
    private static func reasons(_ flight: Flight) -> String {
        let doubts = FlightConfidence(flight).doubts.joined(separator: "; ")
        return String(format: "confidence %.2f, %d points", flight.confidence, flight.points.count)
            + (doubts.isEmpty ? "" : ": " + doubts)
    }

    private var precision: Double { Double(found) / Double(max(1, found + surplus)) }
    private var recall: Double { Double(found) / Double(max(1, found + missed)) }
    private var score: Double { 2 * Double(found) / Double(max(1, 2 * found + missed + surplus)) }

    private var measures: [Measure] {
        let correct = curvatureErrors.count { $0 <= Self.curvatureTolerance }
        return [
            ("precision", "precision", precision), ("recall", "recall", recall), ("F1", "f1", score),
            ("curvature within 3 %", "curvature", Double(correct) / Double(max(1, curvatureErrors.count))),
            (
                "median error of the curvature", "median_curvature_error",
                (curvatureErrors.quantile(0.5) ?? 0)
            ),
            ("median distance of points, pixels", "median_point_error", pointErrors.quantile(0.5) ?? 0),
            (
                "median of the parabolas' largest distance, pixels", "median_curve_error",
                (curveErrors.quantile(0.5) ?? 0)
            ),
            ("its 95th percentile", "p95_curve_error", curveErrors.quantile(0.95) ?? 0),
        ]
    }

    var text: String {
        let head =
            "\(PlainText.counted(found + missed, "flight")): \(found) found, \(missed) missed, "
            + "\(surplus) false or duplicate"
        return ([head] + measures.map { "\($0.name): \($0.value.text(3))" }).joined(separator: "\n")
    }

    var fields: [EvaluationTable.Field] {
        [("flights", .integer(found + missed)), ("found", .integer(found)), ("surplus", .integer(surplus))]
            + measures.map { ($0.key, .number($0.value, decimals: 4)) }
    }
}

/// The agreement of a detected flight with a true one; nil if they are not the same.
private struct Agreement {
    var count = 0
    /// The median distance of the points, in pixels.
    var median = 0.0

    /// Requires at least three points, and half of all points, within 0.6 of the object's radius or three pixels.
    init?(_ flight: Flight, _ truth: FlightTruth, width: Double, height: Double) {
        let positions = Dictionary(
            zip(truth.times.map { Int(($0 * 1000).rounded()) }, truth.points), uniquingKeysWith: { first, _ in first })
        var distances: [Double] = []
        for point in flight.points {
            guard let position = positions[Int((point.time * 1000).rounded())] else { continue }
            let offset = SIMD2(
                (point.object.position.x - position[0]) * width, point.object.position.y * width - position[1] * height)
            distances.append((offset * offset).sum().squareRoot())
        }
        count = distances.count { $0 < max(3, 0.6 * truth.radius * width) }
        guard count >= 3, 2 * count >= flight.points.count else { return nil }
        median = distances.quantile(0.5) ?? 0
    }
}
