import Foundation

/// Merges overlapping predictions into segments: each moment gets the mean of the windows that cover it.
struct ActionTimeline: Sendable {
    private struct Cell {
        var probabilities: [Double]
        var windows = 0.0
        /// The number accepted as one of the classes.
        var accepted = 0.0
    }

    let classes: [String]
    /// The length of a cell, in seconds.
    let step: TimeInterval
    /// The cells that windows cover, with their numbers from the start; a recording may pause for days.
    private var cells: [(number: Int, cell: Cell)] = []
    /// The number of the first cell that is not forgotten.
    private var first = 0
    private var start: TimeInterval?
    private var end: TimeInterval = 0

    init(classes: [String], step: TimeInterval) {
        self.classes = classes
        self.step = step
    }

    var isEmpty: Bool { cells.isEmpty }

    mutating func extend(to time: TimeInterval) {
        if start == nil { start = time }
        end = max(end, time)
    }

    mutating func forget(before time: TimeInterval) {
        first = number(at: time)
        cells.removeFirst(cells.prefix { $0.number < first }.count)
    }

    /// The number of the cell at a time; `PoseSequence` only accepts times for which it is representable.
    private func number(at time: TimeInterval) -> Int { start.map { max(first, Int((time - $0) / step)) } ?? first }

    /// Adds the prediction of a window, in order of start; its middle weighs most, as its ends are uncertain.
    mutating func add(_ prediction: ActionPrediction, from low: TimeInterval, to high: TimeInterval) {
        let range = number(at: low)...number(at: high)
        let next = max(range.lowerBound, cells.last.map { $0.number + 1 } ?? 0)
        if next <= range.upperBound {
            let empty = Cell(probabilities: [Double](repeating: 0, count: classes.count))
            cells += (next...range.upperBound).map { ($0, empty) }
        }
        let middle = Double(range.lowerBound + range.upperBound) / 2
        for index in cells.indices.reversed() {
            guard cells[index].number >= range.lowerBound else { break }
            let weight = 1 - abs(Double(cells[index].number) - middle) / (Double(range.count) / 2 + 1)
            for (label, name) in classes.enumerated() {
                cells[index].cell.probabilities[label] += weight * (prediction.labelProbabilities[name] ?? 0)
            }
            cells[index].cell.windows += weight
            if prediction.label != nil { cells[index].cell.accepted += weight }
        }
    }

    /// The segments in order, one class each; times without predictions are left out.
    func segments(threshold: Double) -> [ActionSegment] {
        guard let start else { return [] }
        var segments: [(segment: ActionSegment, cells: Int, last: Int)] = []
        for (number, cell) in cells where cell.windows > 0 {
            let shares = cell.probabilities.map { $0 / cell.windows }
            let best = shares.indices.max { shares[$0] < shares[$1] } ?? 0
            let label = cell.accepted >= cell.windows / 2 ? classes[best] : nil
            let (low, high) = (start + Double(number) * step, min(end, start + Double(number + 1) * step))
            guard high > low else { continue }
            if let last = segments.last, last.segment.label == label, last.last == number - 1 {
                let count = Double(last.cells)
                segments[segments.count - 1].segment.end = high
                segments[segments.count - 1].segment.confidence =
                    (last.segment.confidence * count + shares[best]) / (count + 1)
                (segments[segments.count - 1].cells, segments[segments.count - 1].last) = (last.cells + 1, number)
            } else {
                segments.append(
                    (ActionSegment(start: low, end: high, label: label, confidence: shares[best]), 1, number))
            }
        }
        return segments.map(\.segment)
    }
}
