public import Foundation
public import KinemaCore

/// Names what is being done while it is being done: the last window of poses, judged again and again.
///
/// A plain rule without clock or input; feed it every pose with its time, nil where nobody is in view.
public struct ActionRecognizer: Sendable {
    /// The classifier asked.
    public let classifier: HumanActionClassifier
    /// Seconds from one prediction to the next.
    public let interval: TimeInterval
    /// The picture's width divided by its height.
    public let aspectRatio: Double
    /// The newest prediction; nil before the first window is full and while nobody is in view.
    public private(set) var prediction: ActionPrediction?

    private var recent: PoseSequence
    private var nextPrediction: TimeInterval?
    private var timeline: ActionTimeline

    /// Makes a recognizer that predicts every so many seconds; by default a sixth of a window, ten frames of sixty.
    public init(_ classifier: HumanActionClassifier, aspectRatio: Double, interval: TimeInterval? = nil) {
        self.classifier = classifier
        self.aspectRatio = aspectRatio
        let usual = classifier.windowDuration / 6
        self.interval = max(interval.flatMap { $0.isFinite ? $0 : nil } ?? usual, 1 / classifier.targetFrameRate)
        recent = PoseSequence(classifier.subject)
        timeline = ActionTimeline(classes: classifier.classes, step: self.interval)
    }

    /// Takes the next pose; gives a prediction whenever it is time for one and somebody is to be seen.
    @discardableResult
    public mutating func append(_ pose: Pose?, at time: TimeInterval) -> ActionPrediction? {
        recent.append(pose, at: time, aspectRatio: aspectRatio)
        return predictWhenDue(time)
    }

    /// Takes a whole sequence, frame by frame; gives the predictions made with their times in seconds.
    public mutating func append(
        contentsOf sequence: PoseSequence
    ) -> [(time: TimeInterval, prediction: ActionPrediction)] {
        guard sequence.subject == classifier.subject else { return [] }
        let size = sequence.frameSize
        return sequence.times.enumerated().compactMap { index, time in
            recent.append(Array(sequence.points[index * size..<(index + 1) * size]), at: time)
            return predictWhenDue(time).map { (time, $0) }
        }
    }

    private mutating func predictWhenDue(_ time: TimeInterval) -> ActionPrediction? {
        // A time that could not be placed, such as one before the last, says nothing.
        guard recent.times.last == time else { return nil }
        let length = classifier.windowDuration
        timeline.reach(time)
        guard let first = recent.times.first, time - first >= length - 1.5 / classifier.targetFrameRate else {
            return nil
        }
        defer {
            // Frames before the window are kept for half a second, so that its first joints can be interpolated.
            let old = recent.times.prefix { $0 < time - length - PoseSequence.longestBridge }.count
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
        let moments = (0..<length).map { time - Double(length - 1 - $0) / rate }
        let steady = recent.resampled(at: moments)
        // What left the view is no longer being done: half of the window must show somebody.
        guard steady.shareSeen >= 0.5, let window = MotionWindow(steady, from: 0, length: length),
            let judgement = classifier.model.judge(window)
        else { return nil }
        return classifier.prediction([judgement], classifier.model.windowCalibration)
    }

    /// Forgets what was done before a time in seconds, so that a stream may go on for hours.
    package mutating func forget(before time: TimeInterval) {
        timeline.forget(before: time)
    }

    /// What was done so far, in stretches; a sequence shorter than a window is judged as a whole.
    public func segments() -> [ActionSegment] {
        guard timeline.isEmpty else { return timeline.segments(threshold: classifier.rejectionThreshold) }
        guard recent.shareSeen >= 0.5, let whole = classifier.prediction(of: recent), let first = recent.times.first,
            let last = recent.times.last
        else { return [] }
        return [ActionSegment(start: first, end: last, label: whole.label, confidence: whole.confidence)]
    }
}
