import Foundation
import KinemaCore
import KinemaVision

/// The flights in a video; the JSON of `kinema trajectories`.
public struct TrajectoriesResult: AnalysisResult, Hashable {
    /// The flights in order of their start.
    public var trajectories: [FlightResult]

    /// One row per flight.
    public static var columns: [String] {
        ["trajectory", "id", "start", "end", "a", "b", "c", "confidence", "radius", "points", "unseen"]
    }

    /// The flights.
    public var rows: [[String]] {
        trajectories.enumerated().map { index, flight in
            ["\(index + 1)", flight.id.uuidString, "\(flight.start.rounded(to: 4))", "\(flight.end.rounded(to: 4))"]
                + flight.coefficients.map { "\($0)" }
                + ["\(flight.confidence)", "\(flight.radius)", "\(flight.times.count)", flight.unseen ?? ""]
        }
    }

    /// The number of flights, then each of them.
    public func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(PlainText.counted(trajectories.count, "flight")) in \(run.extent)"]
            + trajectories.enumerated().map { index, flight in
                let (a, b, c) = (flight.coefficients[0], flight.coefficients[1], flight.coefficients[2])
                return "  \(index + 1).  \(flight.start.text(2)) to \(flight.end.text(2)) s, "
                    + PlainText.counted(flight.times.count, "point")
                    + ", y = \(a.text(3)) x² + \(b.text(3)) x + \(c.text(3)), "
                    + "confidence \(flight.confidence.text(2))" + (flight.unseen.map { "; \($0)" } ?? "")
            }
    }
}

/// A candidate with the reason it was reported as a flight or not; a line of `kinema trajectories --explain`.
package struct FlightExplanation: Codable, Sendable, Hashable {
    package struct Quantity: Codable, Sendable, Hashable {
        /// The measured value; lengths in the object's radii, times in seconds.
        package var value: Double
        /// The transformed value in the score, before scaling.
        package var term: Double
        /// The contribution to the logarithm of the odds, relative to a typical flight; negative contradicts a flight.
        package var weight: Double
    }

    /// The first and the last time it was seen, in seconds.
    package var start: Double, end: Double
    package var isReported: Bool
    package var verdict: String
    package var confidence: Double
    /// The possibility of a flight by fall and advance, 0...1; a factor of the score.
    package var possibility: Double
    package var radius: Double
    /// Time in seconds, x and y of each point; x and y normalised, origin at the lower left.
    package var points: [[Double]]
    package var quantities: [String: Quantity]

    init(_ flight: Flight, isReported: Bool, aspectRatio: Double) {
        let score = FlightConfidence(flight)
        let doubts = score.doubts.joined(separator: "; ")
        (start, end) = (flight.start.rounded(to: 6), flight.end.rounded(to: 6))
        self.isReported = isReported
        verdict =
            isReported
            ? "reported" + (doubts.isEmpty ? "" : ", although " + doubts)
            : "refused: " + (doubts.isEmpty ? "its confidence is below the requested one" : doubts)
        confidence = flight.confidence.rounded(to: 4)
        possibility = score.possibility.rounded(to: 4)
        radius = flight.radius.rounded(to: 6)
        points = flight.points.map { point in
            let (x, y) = (point.object.position.x, point.object.position.y * aspectRatio)
            return [point.time.rounded(to: 6), x.rounded(to: 6), y.rounded(to: 6)]
        }
        quantities = Dictionary(
            uniqueKeysWithValues: score.quantities.map { quantity in
                func finite(_ value: Double) -> Double { min(max(value, -1e9), 1e9).rounded(to: 6) }
                return (
                    quantity.name,
                    Quantity(
                        value: quantity.value.isNaN ? 0 : finite(quantity.value), term: finite(quantity.term),
                        weight: finite(quantity.weight))
                )
            })
    }
}
