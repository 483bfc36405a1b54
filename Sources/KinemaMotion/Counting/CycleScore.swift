import Foundation

/// The probability that a cycle is a repetition: a logistic function of its evidence, whose weights `script/counting fit`
/// finds and writes into CycleWeights.swift.
struct CycleScore: Sendable {
    /// Of each term its mean and its scale among the cycles it was fitted with, and its weight; the constant comes first.
    let terms: [(mean: Float, scale: Float, weight: Float)]

    /// Quantities whose product is a term of its own.
    static let products: [(String, String)] = [
        ("alike", "count"), ("count", "irregular"), ("alike", "path"), ("alike", "period"), ("count", "halves"),
        ("count", "span"), ("hysteresis", "count"), ("agreement", "alike"), ("agreement", "count"),
        ("density", "count"),
        ("shape", "count"), ("shape", "alike"), ("sizeOff", "shape"), ("lengthOff", "shape"), ("shape", "unlike"),
        ("cycleDensity", "density"), ("before", "end"), ("after", "end"), ("before", "count"), ("after", "count"),
        ("dwell", "before"), ("legsApart", "armsApart"), ("legsApart", "drift"), ("legsApart", "count"),
        ("drift", "trunk"), ("range", "trunk"),
        ("closures", "count"), ("retraces", "count"), ("retraces", "detourAll"), ("closure", "shape"),
    ]
    private static let places: [(Int, Int)] = {
        let names = CycleEvidence.whole + CycleEvidence.each
        return products.map { (names.firstIndex(of: $0.0) ?? 0, names.firstIndex(of: $0.1) ?? 0) }
    }()

    /// The weights in use.
    static let fitted = CycleScore(terms: CycleWeights.terms)

    /// The probability of evidence in the order of `CycleEvidence.whole` and then `each`.
    func probability(_ evidence: [Float]) -> Float {
        var sum: Float = 0
        var term = 0
        func add(_ value: Float) {
            let (mean, scale, weight) = terms[term]
            sum += weight * max(-2.5, min(2.5, (value - mean) / scale))
            term += 1
        }
        add(1)
        for value in evidence { add(value) }
        for value in evidence { add(value * value) }
        for (one, other) in Self.places { add(evidence[one] * evidence[other]) }
        return sum.isFinite ? 1 / (1 + exp(-min(30, max(-30, sum)))) : 0
    }
}
