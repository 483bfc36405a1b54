extension Collection where Element: BinaryFloatingPoint {
    /// The median: the mean of the middle two of an even number; 0 without elements.
    @inlinable package var median: Element {
        guard !isEmpty else { return 0 }
        let (sorted, half) = (sorted(), count / 2)
        return count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }
}

extension Collection where Element: Comparable {
    /// The element at a share, 0...1, of the sorted elements (0.5: the upper median); nil without elements.
    @inlinable package func quantile(_ share: Double) -> Element? {
        isEmpty ? nil : sorted()[Swift.min(Int(share * Double(count)), count - 1)]
    }
}
