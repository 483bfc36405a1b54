import Foundation
import Kinema
import KinemaSynth

/// How found flights agree with the exact truth of rendered ones.
struct TrajectoriesScore {
    /// What counts as right for a parabola: the share by which its curvature is off.
    static let coefficientShare = 0.03

    let confidence: Double
    private(set) var found = 0
    private(set) var missed = 0
    private(set) var surplus = 0
    /// By how much the curvature a is off, as a share of the true one.
    private(set) var curvatureErrors: [Double] = []
    /// The greatest distance of each parabola from the true one along the true path, pixels.
    private(set) var curveErrors: [Double] = []
    /// The median distance of the points of each flight from the true ones, pixels.
    private(set) var pointErrors: [Double] = []

    init(confidence: Double) { self.confidence = confidence }

    /// Takes a scene; tells in a line each what was missed and what was told too much.
    mutating func add(
        _ truth: [FlightTruth], _ flights: [Flight], size: (width: Double, height: Double)
    ) -> [String] {
        var lines: [String] = []
        var used: Set<UUID> = []
        for one in truth {
            let best = flights.compactMap { flight in
                Agreement(flight, one, width: size.width, height: size.height).map { (flight, $0) }
            }.max { $0.1.count < $1.1.count }
            let place = String(
                format: "%.2f to %.2f s, %d points, radius %.1f px", one.start, one.end, one.times.count,
                one.radius * size.width)
            guard let (flight, agreement) = best, flight.confidence >= confidence else {
                missed += 1
                lines.append("missed \(place), " + (best.map { Self.reasons($0.0) } ?? "nothing was followed"))
                continue
            }
            used.insert(flight.id)
            found += 1
            pointErrors.append(agreement.median)
            lines += compare(flight, one, size, place)
        }
        for flight in flights where flight.confidence >= confidence && !used.contains(flight.id) {
            surplus += 1
            lines.append(
                String(
                    format: "told too much: %.2f to %.2f s, %d points, radius %.1f px, ", flight.start, flight.end,
                    flight.points.count, flight.radius * size.width) + Self.reasons(flight))
        }
        return lines
    }

    private mutating func compare(
        _ flight: Flight, _ truth: FlightTruth, _ size: (width: Double, height: Double), _ place: String
    ) -> [String] {
        guard truth.coefficients.count == 3 else { return [] }
        let aspect = size.width / size.height
        let curve = flight.parabola
        let (a, b, c) = (truth.coefficients[0], truth.coefficients[1], truth.coefficients[2])
        let error = abs(curve.a * aspect / a - 1)
        curvatureErrors.append(error)
        let off = truth.points.map { abs(curve($0[0]) * aspect - ((a * $0[0] + b) * $0[0] + c)) * size.height }
        curveErrors.append(off.max() ?? 0)
        guard error > Self.coefficientShare else { return [] }
        return [String(format: "curvature off by %.1f %% (%.1f px): ", error * 100, off.max() ?? 0) + place]
    }

    /// Why a flight is not sure: the needs it meets least.
    private static func reasons(_ flight: Flight) -> String {
        let judged = FlightConfidence(flight)
        let needs = judged.needs.filter { $0.score < 1 }.sorted { $0.score < $1.score }.prefix(3)
        let evidence = judged.evidence.sorted { $0.weight < $1.weight }.prefix(2)
        return String(format: "confidence %.2f, %d points, ", flight.confidence, flight.points.count)
            + (needs.map { String(format: "%@ %.2f", $0.name as NSString, $0.value) }
            + evidence.map { String(format: "%@ %+.1f", $0.name as NSString, $0.weight) }).joined(separator: ", ")
    }

    private var precision: Double { Double(found) / Double(max(1, found + surplus)) }
    private var recall: Double { Double(found) / Double(max(1, found + missed)) }
    private var score: Double { 2 * Double(found) / Double(max(1, 2 * found + missed + surplus)) }

    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        values.isEmpty ? 0 : values.sorted()[min(values.count - 1, Int(share * Double(values.count)))]
    }

    private var measures: [(name: String, key: String, value: Double)] {
        let right = curvatureErrors.count { $0 <= Self.coefficientShare }
        return [
            ("precision", "precision", precision), ("recall", "recall", recall), ("F1", "f1", score),
            ("curvature within 3 %", "curvature", Double(right) / Double(max(1, curvatureErrors.count))),
            ("median error of the curvature", "median_curvature_error", Self.quantile(curvatureErrors, 0.5)),
            ("median distance of points, pixels", "median_point_error", Self.quantile(pointErrors, 0.5)),
            (
                "median of the parabolas' greatest distance, pixels", "median_curve_error",
                Self.quantile(curveErrors, 0.5)
            ),
            ("its 95th percentile", "p95_curve_error", Self.quantile(curveErrors, 0.95)),
        ]
    }

    var text: String {
        ([
            "\(PlainText.counted(found + missed, "flight")): \(found) found, \(missed) missed, \(surplus) told that are none"
        ]
            + measures.map { "\($0.name): " + String(format: "%.3f", $0.value) }).joined(separator: "\n")
    }

    var json: String {
        var json = JSONText()
        json.object { json in
            for (key, value) in [("flights", found + missed), ("found", found), ("surplus", surplus)] {
                json.key(key)
                json.integer(value)
            }
            for measure in measures {
                json.key(measure.key)
                json.number(measure.value, decimals: 4)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// How a found flight agrees with a true one: nil when they are not the same.
private struct Agreement {
    /// Points that lie on the true thing.
    var count = 0
    /// The median distance of the points, pixels.
    var median = 0.0

    /// At least three points, and half of all, within six tenths of the thing's radius, or three pixels.
    init?(_ flight: Flight, _ truth: FlightTruth, width: Double, height: Double) {
        let places = Dictionary(
            zip(truth.times.map { Int(($0 * 1000).rounded()) }, truth.points), uniquingKeysWith: { first, _ in first })
        var distances: [Double] = []
        for point in flight.points {
            guard let place = places[Int((point.time * 1000).rounded())] else { continue }
            let way = SIMD2(
                (point.object.position.x - place[0]) * width, point.object.position.y * width - place[1] * height)
            distances.append((way * way).sum().squareRoot())
        }
        count = distances.count { $0 < max(3, 0.6 * truth.radius * width) }
        guard count >= 3, 2 * count >= flight.points.count else { return nil }
        median = distances.sorted()[distances.count / 2]
    }
}
