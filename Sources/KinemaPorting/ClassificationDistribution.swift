/// A class and its probability.
public struct Classification<Label: Hashable & Sendable>: Hashable, Sendable {
    /// The class.
    public var label: Label
    /// Its probability, 0...1.
    public var probability: Float

    /// Makes a classification from a class and its probability.
    public init(label: Label, probability: Float) { (self.label, self.probability) = (label, probability) }
}

/// The probabilities of all classes, the most likely first.
public struct ClassificationDistribution<Label: Hashable & Sendable>: RandomAccessCollection, Hashable, Sendable {
    private let classifications: [Classification<Label>]

    /// Makes a distribution from classes with their probabilities.
    public init<C: Collection>(_ classifications: C) where C.Element == Classification<Label> {
        self.classifications = classifications.sorted { $0.probability > $1.probability }
    }

    /// The position of the most likely class.
    public var startIndex: Int { 0 }
    /// The position after the least likely class.
    public var endIndex: Int { classifications.count }
    /// A class by its rank.
    public subscript(position: Int) -> Classification<Label> { classifications[position] }

    /// All classes, the most likely first.
    public var labelsSortedByProbability: [Label] { map(\.label) }

    /// The most likely class; nil without classes.
    public var mostLikelyLabel: Label? { first?.label }

    /// The most likely classes.
    public func topLabels(_ amount: Int) -> [Label] { prefix(amount).map(\.label) }
}
