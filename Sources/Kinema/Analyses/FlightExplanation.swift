import Foundation
import KinemaVision

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
    package var isTold: Bool
    package var verdict: String
    package var confidence: Double
    /// The possibility of a flight by fall and advance, 0...1; a factor of the score.
    package var possibility: Double
    package var radius: Double
    /// Time in seconds, x and y of each point; x and y normalised, origin at the lower left.
    package var points: [[Double]]
    package var quantities: [String: Quantity]

    init(_ flight: Flight, isTold: Bool, aspectRatio: Double) {
        let score = FlightConfidence(flight)
        let doubts = score.doubts.joined(separator: "; ")
        (start, end) = (flight.start.rounded(to: 6), flight.end.rounded(to: 6))
        self.isTold = isTold
        verdict =
            isTold
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
