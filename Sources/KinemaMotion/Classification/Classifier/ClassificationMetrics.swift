/// How right a classifier was: of each true class, how often each class was said.
public struct ClassificationMetrics<Label: Hashable & Comparable & Sendable>: Sendable {
    /// All classes that occur, in order.
    public private(set) var labels: [Label] = []
    private var counts: [Label: [Label: Int]] = [:]

    /// Makes metrics without any judgement; the classes given are listed even if they never occur.
    public init(labels: [Label] = []) {
        self.labels = Set(labels).sorted()
    }

    /// Adds a judgement: what was said and what was true.
    public mutating func add(_ said: Label, truth: Label) {
        counts[truth, default: [:]][said, default: 0] += 1
        for label in [said, truth] where !labels.contains(label) {
            labels.append(label)
            labels.sort()
        }
    }

    /// How often one class was said where another was true.
    public func count(said: Label, truth: Label) -> Int { counts[truth]?[said] ?? 0 }

    /// All judgements.
    public var total: Int { counts.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
    /// The right ones.
    public var right: Int { labels.reduce(0) { $0 + count(said: $1, truth: $1) } }
    /// The share of right judgements, 0...1; 0 without any.
    public var accuracy: Double { total > 0 ? Double(right) / Double(total) : 0 }

    /// Of the judgements that said this class the share that was right; nil when it was never said.
    public func precision(_ label: Label) -> Double? {
        let said = labels.reduce(0) { $0 + count(said: label, truth: $1) }
        return said > 0 ? Double(count(said: label, truth: label)) / Double(said) : nil
    }

    /// Of the examples of this class the share that was recognised; nil when there was none.
    public func recall(_ label: Label) -> Double? {
        let there = labels.reduce(0) { $0 + count(said: $1, truth: label) }
        return there > 0 ? Double(count(said: label, truth: label)) / Double(there) : nil
    }
}
