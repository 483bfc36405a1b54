/// A class and its probability.
public struct Classification<Label: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// The class.
    public let label: Label
    /// Its probability, 0...1.
    public let probability: Double

    /// Makes a classification from a class and its probability.
    public init(label: Label, probability: Double) {
        self.label = label
        self.probability = probability
    }
}

/// The probabilities of all classes, the most likely first.
public struct ClassificationDistribution<Label: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// All classes, the most likely first.
    public let classifications: [Classification<Label>]

    /// Makes a distribution from classes with their probabilities.
    public init(_ classifications: [Classification<Label>]) {
        self.classifications = classifications.sorted { ($1.probability, $0.label) < ($0.probability, $1.label) }
    }

    /// The most likely class; nil without classes.
    public var mostLikelyLabel: Label? { classifications.first?.label }

    /// The probability of a class, 0...1; 0 for an unknown class.
    public subscript(label: Label) -> Double {
        classifications.first { $0.label == label }?.probability ?? 0
    }
}
