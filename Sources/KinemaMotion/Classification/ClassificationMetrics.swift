/// A confusion matrix: how often each class was predicted for each true class.
package struct ClassificationMetrics<Label: Hashable & Comparable & Sendable>: Sendable {
    /// All classes that occur, sorted.
    package private(set) var labels: [Label] = []
    private var counts: [Label: [Label: Int]] = [:]

    /// Makes empty metrics; the given classes are listed even if they never occur.
    package init(labels: [Label] = []) { self.labels = Set(labels).sorted() }

    package mutating func add(_ predicted: Label, truth: Label) {
        counts[truth, default: [:]][predicted, default: 0] += 1
        for label in [predicted, truth] where !labels.contains(label) {
            labels.append(label)
            labels.sort()
        }
    }

    package func count(predicted: Label, truth: Label) -> Int { counts[truth]?[predicted] ?? 0 }

    package var total: Int { counts.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
    package var correct: Int { labels.reduce(0) { $0 + count(predicted: $1, truth: $1) } }
    /// The share of correct predictions, 0...1; 0 without any.
    package var accuracy: Double { total > 0 ? Double(correct) / Double(total) : 0 }

    /// The share of predictions of this class that were correct; nil if it was never predicted.
    package func precision(_ label: Label) -> Double? {
        let predicted = labels.reduce(0) { $0 + count(predicted: label, truth: $1) }
        return predicted > 0 ? Double(count(predicted: label, truth: label)) / Double(predicted) : nil
    }

    /// The share of this class's examples that were recognised; nil if there were none.
    package func recall(_ label: Label) -> Double? {
        let actual = labels.reduce(0) { $0 + count(predicted: $1, truth: label) }
        return actual > 0 ? Double(count(predicted: label, truth: label)) / Double(actual) : nil
    }
}
