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
        self.classifier = classifier
        self.aspectRatio = aspectRatio
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
        let size = sequence.frameSize
        return sequence.times.enumerated().compactMap { index, time in
            recent.append(Array(sequence.points[index * size..<(index + 1) * size]), at: time)
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
    package mutating func forget(before time: TimeInterval) {
        timeline.forget(before: time)
    }

    /// The actions so far; a sequence between the classifier's `minimumDuration` and a window is one segment.
    package func segments() -> [ActionSegment] {
        guard timeline.isEmpty else { return timeline.segments(threshold: classifier.rejectionThreshold) }
        guard recent.visibleFraction >= 0.5, let whole = classifier.prediction(of: recent),
            let first = recent.times.first,
            let last = recent.times.last
        else { return [] }
        return [ActionSegment(start: first, end: last, label: whole.label, confidence: whole.confidence)]
    }
}
