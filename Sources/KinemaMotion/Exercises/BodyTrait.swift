import Foundation

package struct BodyTrait: Sendable, Hashable, Encodable {
    package enum Statistic: String, Sendable, Hashable, CaseIterable, Codable {
        /// The smallest, largest and middle value, and the range, each without the outermost twentieth at both ends.
        case low, high, middle, range
    }

    package var measure: BodyMeasure
    package var statistic: Statistic
    package var range: ClosedRange<Double>
    /// The distance from the range that clearly contradicts the exercise.
    package var tolerance: Double

    package init(_ measure: BodyMeasure, _ statistic: Statistic, _ range: ClosedRange<Double>, tolerance: Double) {
        (self.measure, self.statistic, self.range, self.tolerance) = (measure, statistic, range, tolerance)
    }

    /// The distance of a value from the range, in tolerances; 0 inside.
    func misfit(_ value: Double) -> Double { max(range.lowerBound - value, value - range.upperBound, 0) / tolerance }
}

struct TraitMisfit {
    let trait: BodyTrait
    let value: Double

    /// Such as "trunk middle 71, not 0 to 45".
    var text: String {
        let unit = trait.measure.unit
        return "\(trait.measure.name) \(trait.statistic.rawValue) \(unit.text(value)), not "
            + "\(unit.text(trait.range.lowerBound)) to \(unit.text(trait.range.upperBound))"
    }
}

extension Exercise {
    /// The fit of readings to the exercise's traits, 0...1.
    ///
    /// Each trait reduces it by the square of its misfit, up to a limit; missing measures reduce it a little.
    func fit(to window: some Collection<BodyReading>) -> Double {
        guard !window.isEmpty, !traits.isEmpty else { return 0 }
        let sum = traits.reduce(0.0) { sum, trait in
            guard let value = window.value(trait.measure, trait.statistic) else { return sum + 1 }
            let misfit = min(3, trait.misfit(value))
            return sum + misfit * misfit
        }
        return exp(-0.5 * sum)
    }

    /// The trait that readings show least; nil if all are shown.
    func worstTrait(in window: some Collection<BodyReading>) -> TraitMisfit? {
        let misfits = traits.compactMap { trait in
            window.value(trait.measure, trait.statistic).map { TraitMisfit(trait: trait, value: $0) }
        }
        return misfits.filter { $0.trait.misfit($0.value) > 0 }
            .max { $0.trait.misfit($0.value) < $1.trait.misfit($1.value) }
    }
}
