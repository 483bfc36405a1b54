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

    /// A value farther from the mean counts as this many scales from it.
    private static let clipped: Float = 2.5

    /// The weights in use.
    static let fitted = CycleScore(terms: CycleWeights.terms)

    /// The probability of evidence in the order of `CycleEvidence.whole` and then `each`.
    func probability(_ evidence: [Float]) -> Float {
        var sum: Float = 0
        var term = 0
        func add(_ value: Float) {
            sum += weighed(value, terms[term])
            term += 1
        }
        add(1)
        for value in evidence { add(value) }
        for value in evidence { add(value * value) }
        for (one, other) in Self.places { add(evidence[one] * evidence[other]) }
        return sum.isFinite ? 1 / (1 + exp(-min(30, max(-30, sum)))) : 0
    }
}

extension CycleScore {
    /// How much each quantity adds to the logarithm of the odds, the mean over cycles; a quantity and its square are one.
    func reasons(_ cycles: [[Float]]) -> [(name: String, weight: Float)] {
        let names = CycleEvidence.whole + CycleEvidence.each
        var sums = [Float](repeating: 0, count: names.count + Self.places.count)
        for evidence in cycles {
            let values = evidence + evidence.map { $0 * $0 } + Self.places.map { evidence[$0] * evidence[$1] }
            for (place, value) in values.enumerated() {
                // The constant, which is first, is no quantity.
                sums[place < names.count ? place : place - names.count] += weighed(value, terms[place + 1])
            }
        }
        let all = names + Self.products.map { "\($0.0) x \($0.1)" }
        return zip(all, sums).map { ($0, $1 / Float(max(1, cycles.count))) }
    }

    /// What a value adds to the sum whose logistic function is the probability.
    private func weighed(_ value: Float, _ term: (mean: Float, scale: Float, weight: Float)) -> Float {
        term.weight * max(-Self.clipped, min(Self.clipped, (value - term.mean) / term.scale))
    }
}
