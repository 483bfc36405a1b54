package import KinemaMotion
package import Foundation
package import KinemaCore

/// Recognises actions in a stream by classifying the last window of poses at intervals.
///
/// A pure algorithm without clock or input: feed it every pose with its time, nil while nobody is in view.
package struct ActionRecognizer: Sendable {
    package let classifier: any ActionClassifier
    /// Seconds from one prediction to the next.
    package let interval: TimeInterval
    /// The picture's width divided by its height.
    package let aspectRatio: Double
    /// The newest prediction; nil before the first window is full and while nobody is in view.
    package private(set) var prediction: ActionPrediction?

    private var recent: PoseSequence
    private var nextPrediction: TimeInterval?
    private var timeline: ActionTimeline

    /// Makes a recogniser that predicts every `interval` seconds; by default a sixth of a window.
    package init(_ classifier: any ActionClassifier, aspectRatio: Double, interval: TimeInterval? = nil) {
        (self.classifier, self.aspectRatio) = (classifier, aspectRatio)
        let standard = classifier.windowDuration / 6
        self.interval = max(interval.flatMap { $0.isFinite ? $0 : nil } ?? standard, 1 / classifier.targetFrameRate)
        recent = PoseSequence(classifier.subject, joints: classifier.joints)
        timeline = ActionTimeline(classes: classifier.classes, step: self.interval)
    }

    /// Takes the next pose; returns a prediction if one is due and a person is in view.
    @discardableResult
    package mutating func append(_ pose: Pose?, at time: TimeInterval) -> ActionPrediction? {
        recent.append(pose, at: time, aspectRatio: aspectRatio)
        return predictWhenDue(time)
    }

    /// Takes a whole sequence frame by frame; returns the predictions with their times in seconds.
    package mutating func append(
        contentsOf sequence: PoseSequence
    ) -> [(time: TimeInterval, prediction: ActionPrediction)] {
        guard sequence.subject == classifier.subject, sequence.joints == recent.joints else { return [] }
        recent.picture = sequence.picture
        return sequence.times.enumerated().compactMap { index, time in
            recent.append(Array(sequence.frame(index)), at: time)
            return predictWhenDue(time).map { (time, $0) }
        }
    }

    private mutating func predictWhenDue(_ time: TimeInterval) -> ActionPrediction? {
        // The sequence rejects unusable times, such as one before the last.
        guard recent.times.last == time else { return nil }
        let length = classifier.windowDuration
        timeline.extend(to: time)
        guard let first = recent.times.first, time - first >= length - 1.5 / classifier.targetFrameRate else {
            return nil
        }
        defer {
            // Keep half a second before the window, to interpolate its first joints.
            let old = recent.times.prefix { $0 < time - length - PoseSequence.maximumGap }.count
            if old > 0 { recent.removeFirst(old) }
        }
        if let due = nextPrediction, time < due { return nil }
        nextPrediction = time + interval - 0.25 / classifier.targetFrameRate
        prediction = predict(until: time)
        if let prediction { timeline.add(prediction, from: time - length, to: time) }
        return prediction
    }

    private func predict(until time: TimeInterval) -> ActionPrediction? {
        let (length, rate) = (classifier.predictionWindowSize, classifier.targetFrameRate)
        let times = (0..<length).map { time - Double(length - 1 - $0) / rate }
        let steady = recent.resampled(at: times)
        // A person must be visible in half of the window; an action ends when its person leaves the view.
        return steady.visibleFraction >= 0.5 ? classifier.prediction(of: CollectionOfOne(steady)) : nil
    }

    /// Forgets actions before a time in seconds, for endless streams.
    package mutating func forget(before time: TimeInterval) { timeline.forget(before: time) }

    /// The actions so far; a sequence between the classifier's `minimumDuration` and a window is one segment.
    package func segments() -> [ActionSegment] {
        guard timeline.isEmpty else { return timeline.segments(threshold: classifier.rejectionThreshold) }
        guard recent.visibleFraction >= 0.5, let whole = classifier.prediction(of: recent),
            let first = recent.times.first, let last = recent.times.last
        else { return [] }
        return [ActionSegment(start: first, end: last, label: whole.label, confidence: whole.confidence)]
    }
}

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

    init(classes: [String], step: TimeInterval) { (self.classes, self.step) = (classes, step) }

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
            var (segment, count) = (ActionSegment(start: low, end: high, label: label, confidence: shares[best]), 1)
            if let last = segments.last, last.segment.label == label, last.last == number - 1 {
                segment.start = last.segment.start
                count += last.cells
                segment.confidence = (last.segment.confidence * Double(last.cells) + shares[best]) / Double(count)
                segments.removeLast()
            }
            segments.append((segment, count, number))
        }
        return segments.map(\.segment)
    }
}
