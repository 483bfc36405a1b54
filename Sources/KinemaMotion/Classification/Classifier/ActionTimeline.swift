import Foundation

/// Puts overlapping predictions together into stretches: each moment gets the mean of the windows that cover it.
struct ActionTimeline: Sendable {
    private struct Cell {
        var probabilities: [Double]
        var windows = 0.0
        /// Of these how many were accepted as one of the classes.
        var accepted = 0.0
    }

    let classes: [String]
    /// Seconds of a cell.
    let step: TimeInterval
    private var cells: [Cell] = []
    private var start: TimeInterval?
    private var end: TimeInterval = 0

    init(classes: [String], step: TimeInterval) {
        self.classes = classes
        self.step = step
    }

    /// Whether nothing was predicted.
    var isEmpty: Bool { cells.allSatisfy { $0.windows == 0 } }

    /// Notes how far the recording goes.
    mutating func reach(_ time: TimeInterval) {
        if start == nil { start = time }
        end = max(end, time)
    }

    /// Forgets what was before a time, as far as whole cells go.
    mutating func forget(before time: TimeInterval) {
        guard let start else { return }
        let gone = min(cells.count, max(0, Int((time - start) / step)))
        cells.removeFirst(gone)
        self.start = start + Double(gone) * step
    }

    /// Adds what a window says; its middle counts most, since its ends may belong to something else.
    mutating func add(_ prediction: ActionPrediction, from low: TimeInterval, to high: TimeInterval) {
        guard let start else { return }
        let range = max(0, Int((low - start) / step))...max(0, Int((high - start) / step))
        while cells.count <= range.upperBound {
            cells.append(Cell(probabilities: [Double](repeating: 0, count: classes.count)))
        }
        let middle = Double(range.lowerBound + range.upperBound) / 2
        for index in range {
            let weight = 1 - abs(Double(index) - middle) / (Double(range.count) / 2 + 1)
            for (label, name) in classes.enumerated() {
                cells[index].probabilities[label] += weight * (prediction.labelProbabilities[name] ?? 0)
            }
            cells[index].windows += weight
            if prediction.label != nil { cells[index].accepted += weight }
        }
    }

    /// Stretches of one class each, in order, without what nothing was predicted for.
    func segments(threshold: Double) -> [ActionSegment] {
        guard let start else { return [] }
        var segments: [(segment: ActionSegment, cells: Int)] = []
        for (index, cell) in cells.enumerated() where cell.windows > 0 {
            let shares = cell.probabilities.map { $0 / cell.windows }
            let best = shares.indices.max { shares[$0] < shares[$1] } ?? 0
            let label = cell.accepted >= cell.windows / 2 ? classes[best] : nil
            let (low, high) = (start + Double(index) * step, min(end, start + Double(index + 1) * step))
            guard high > low else { continue }
            if let last = segments.last, last.segment.label == label, abs(last.segment.end - low) < 1e-6 {
                let count = Double(last.cells)
                segments[segments.count - 1].segment.end = high
                segments[segments.count - 1].segment.confidence =
                    (last.segment.confidence * count + shares[best]) / (count + 1)
                segments[segments.count - 1].cells += 1
            } else {
                segments.append((ActionSegment(start: low, end: high, label: label, confidence: shares[best]), 1))
            }
        }
        return segments.map(\.segment)
    }
}
