public import Foundation
public import KinemaCore

/// Classifies the actions in windows of poses: a classifier from `ActionTrainer`, or a neural network from elsewhere.
public protocol ActionClassifier: Sendable {
    /// The subject whose movement it classifies.
    var subject: ActionSubject { get }
    /// The joints that it uses, in the order of a sequence's columns.
    var joints: [JointKey] { get }
    /// The classes.
    var classes: [String] { get }
    /// Frames in a window.
    var predictionWindowSize: Int { get }
    /// Frames per second of a window.
    var targetFrameRate: Double { get }
    /// The probability (0...1) below which a movement belongs to none of the classes; can be changed.
    var rejectionThreshold: Double { get set }
    /// The shortest movement that it classifies, in seconds.
    var minimumDuration: TimeInterval { get }

    /// Classifies movement by the mean over its windows, each of `predictionWindowSize` frames at `targetFrameRate`;
    /// nil if nobody is visible.
    func prediction(of windows: some Sequence<PoseSequence>) -> ActionPrediction?
}

extension ActionClassifier {
    /// The joints of the subject.
    public var joints: [JointKey] { subject.joints }

    /// Half a window.
    public var minimumDuration: TimeInterval { windowDuration / 2 }

    /// The length of a window, in seconds.
    package var windowDuration: TimeInterval { Double(predictionWindowSize) / targetFrameRate }

    /// Classifies a whole sequence at any frame rate, by the mean over all its windows.
    ///
    /// Nil if nobody is visible, below `minimumDuration`, for other joints, and beyond a million frames.
    public func prediction(of sequence: PoseSequence) -> ActionPrediction? {
        guard sequence.subject == subject, sequence.joints == joints, sequence.shownDuration >= minimumDuration - 1e-6,
            let steady = sequence.resampled(rate: targetFrameRate, window: windowDuration), steady.count > 0
        else { return nil }
        let length = predictionWindowSize
        let starts = MotionWindow.starts(in: steady.count, length: length)
        return prediction(of: starts.lazy.map { steady.window(from: $0, length: length, rate: targetFrameRate) })
    }
}

extension PoseSequence {
    /// The frames of a window; a sequence that is too short plays forwards and backwards to fill it.
    func window(from start: Int, length: Int, rate: Double) -> PoseSequence {
        replacing(
            times: (0..<length).map { Double($0) / rate },
            points: (0..<length).flatMap { frame(MotionWindow.reflect(start + $0, in: count)) })
    }

    /// Whether enough joints are visible to measure position and size; any joint, if they are not the subject's.
    package var showsSomebody: Bool {
        joints == subject.joints ? MotionWindow(self, from: 0, length: count) != nil : visibleFraction > 0
    }
}
