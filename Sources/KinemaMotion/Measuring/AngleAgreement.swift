/// The agreement of two measurements of an angle, in degrees: Bland and Altman, The Lancet 327 (1986).
package struct AngleAgreement: Sendable {
    package let name: String
    /// The number of moments compared.
    package let count: Int
    package let rmse: Double
    /// The mean of result minus reference.
    package let bias: Double
    /// The bias minus and plus 1.96 standard deviations of the differences.
    package let limits: (lower: Double, upper: Double)
    /// Pearson's correlation; nil if either is constant.
    package let correlation: Double?

    /// Compares the angles that both have, at the times of the result plus `offset` seconds.
    ///
    /// The reference is interpolated linearly, but not over gaps that measuring leaves open. Angles with fewer than two
    /// common moments are left out.
    package static func all(_ result: AngleSeries, _ truth: AngleSeries, offset: Double = 0) -> [AngleAgreement] {
        let places = result.times.map { place(of: $0 + offset, in: truth.times) }
        return AngleSeries.names.compactMap { name in
            guard let found = result.angles[name], let known = truth.angles[name] else { return nil }
            let pairs = zip(found, places).compactMap { value, place -> (truth: Double, difference: Double)? in
                guard let value, let place, let before = known[place.index] else { return nil }
                guard let after = place.share > 0 ? known[place.index + 1] : before else { return nil }
                let actual = before + (after - before) * place.share
                // Two series may be a full turn apart.
                return (actual, (value - actual).remainder(dividingBy: 360))
            }
            return AngleAgreement(name, pairs)
        }
    }

    private init?(_ name: String, _ pairs: [(truth: Double, difference: Double)]) {
        guard pairs.count > 1 else { return nil }
        let count = Double(pairs.count)
        func mean(_ value: ((truth: Double, difference: Double)) -> Double) -> Double {
            pairs.map(value).reduce(0, +) / count
        }
        let (middle, bias) = (mean(\.truth), mean(\.difference))
        let reach = 1.96 * (mean { ($0.difference - bias) * ($0.difference - bias) } * count / (count - 1)).squareRoot()
        (self.name, self.count, self.bias) = (name, pairs.count, bias)
        rmse = mean { $0.difference * $0.difference }.squareRoot()
        limits = (bias - reach, bias + reach)
        let truth = { (pair: (truth: Double, difference: Double)) in pair.truth - middle }
        let found = { (pair: (truth: Double, difference: Double)) in truth(pair) + pair.difference - bias }
        let spread = (truth: mean { truth($0) * truth($0) }, found: mean { found($0) * found($0) })
        correlation =
            min(spread.truth, spread.found) > 1e-9
            ? mean { truth($0) * found($0) } / (spread.truth * spread.found).squareRoot() : nil
    }

    /// The index of the last sample at or before a time, and the fraction of the way to the next; nil outside and in
    /// gaps.
    private static func place(of time: Double, in times: [Double]) -> (index: Int, share: Double)? {
        let next = times.partitioningIndex { $0 > time }
        guard next > 0 else { return nil }
        let before = times[next - 1]
        if before == time { return (next - 1, 0) }
        guard next < times.count, times[next] - before <= MeasureOptions().longestGap else { return nil }
        return (next - 1, (time - before) / (times[next] - before))
    }
}
