import Foundation
import Kinema

/// The literature's measures of a count, each with its bootstrap interval, as text and as JSON.
struct CountMeasures {
    private let all: [(name: String, key: String, estimate: CountingScore.Estimate)]

    init(_ score: CountingScore) {
        all = [
            ("MAE", "mae", score.estimate(\.meanAbsoluteError)), ("OBO", "obo", score.estimate(\.offByOne)),
            ("exact", "exact", score.estimate(\.exact)),
        ]
    }

    /// `MAE 0.027 [0.000, 0.065], OBO …`.
    var text: String {
        func three(_ value: Double) -> String { String(format: "%.3f", value) }
        return all.map { name, _, estimate in
            let interval = estimate.interval
            return "\(name) \(three(estimate.value)) [\(three(interval.lowerBound)), \(three(interval.upperBound))]"
        }.joined(separator: ", ")
    }

    /// Writes `mae`, `mae_interval` and so on into an open object.
    func write(to json: inout JSONText) {
        for (_, key, estimate) in all {
            json.key(key)
            json.number(estimate.value)
            json.key(key + "_interval")
            json.numbers([estimate.interval.lowerBound, estimate.interval.upperBound])
        }
    }
}
