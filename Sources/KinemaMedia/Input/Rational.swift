struct Rational: Hashable, Sendable {
    var numerator: Int
    var denominator: Int

    /// The quotient; 0 when the denominator is.
    var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }

    func seconds(_ units: Int64) -> Double { Double(units) * value }
}
