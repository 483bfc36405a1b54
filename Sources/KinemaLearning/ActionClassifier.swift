public import KinemaMotion
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

/// A trained action classifier, from a window of poses to the probability of each class.
struct ActionModel: Sendable, Hashable, Codable {
    let subject: ActionSubject
    let classes: [String]
    let length: Int
    /// Frames per second.
    let rate: Double
    /// The positions that replace joints that were not seen.
    var usual: [SIMD2<Float>]
    var bank: FeatureBank
    var ridge: RidgeClassifier
    /// The posture classifier; nil if only movement is classified.
    var posture: PosturePart?
    var windowCalibration = Calibration.standard
    /// The calibration for the mean score over all windows of a clip.
    var clipCalibration = Calibration.standard
    /// The probability below which a window is none of the classes.
    var threshold: Float = 0
    /// The limit of the mean squared feature above which a window is none of the classes.
    var strangeness: Float = RidgeClassifier.clip * RidgeClassifier.clip

    struct WindowScore: Sendable, Hashable {
        var scores: [Float]
        /// The mean square of the standardised features; about 1 for windows like the training examples.
        var strangeness: Float
    }

    /// Scores a window; nil if it has another shape or is too large for finite scores.
    func score(_ window: MotionWindow) -> WindowScore? {
        guard window.subject == subject, window.length == length else { return nil }
        let features = ridge.standardised(bank.features(of: window.series(missing: usual)))
        var scores = ridge.scores(standardised: features)
        if let posture { scores = Self.mix(scores, posture.scores(window, missing: usual), posture.share) }
        let score = WindowScore(scores: scores, strangeness: Self.meanSquare(features))
        return score.scores.allSatisfy(\.isFinite) && score.strangeness.isFinite ? score : nil
    }

    /// The scores of movement and posture, weighed by posture's share.
    static func mix(_ movement: [Float], _ posture: [Float], _ share: Float) -> [Float] {
        zip(movement, posture).map { (1 - share) * $0 + share * $1 }
    }

    private static func meanSquare(_ features: [Float]) -> Float {
        features.reduce(0) { $0 + $1 * $1 } / Float(max(1, features.count))
    }

    /// The share of correctly classified windows that may be rejected as none of the classes.
    private static let rejectedShare = 0.02

    mutating func calibrate(_ heldOut: [(clip: Int, scores: [Float])], labels: [Int]) {
        windowCalibration = .fitted(to: heldOut.map(\.scores), labels: heldOut.map { labels[$0.clip] })
        let clips = Dictionary(grouping: heldOut, by: \.clip).sorted { $0.key < $1.key }
        let means = clips.map { clip in
            classes.indices.map { label in
                clip.value.reduce(0) { $0 + $1.scores[label] } / Float(clip.value.count)
            }
        }
        clipCalibration = .fitted(to: means, labels: clips.map { labels[$0.key] })
        let confidences = heldOut.compactMap { window -> Float? in
            let probabilities = windowCalibration.probabilities(window.scores)
            let own = probabilities[labels[window.clip]]
            return probabilities.max() == own ? own : nil
        }
        // At least a little above chance, and never so high that doubt alone rejects a window.
        let least = 1.3 / Float(classes.count)
        threshold = min(0.9, max(least, confidences.quantile(Self.rejectedShare) ?? least))
    }

    /// Sets the limit to 1.5 times the 99.9th percentile of the training windows.
    mutating func fitStrangenessLimit(_ features: ArraySlice<[Float]>) {
        let ridge = ridge
        let rows = Array(features)
        let values = parallel(rows.count) { Self.meanSquare(ridge.standardised(rows[$0])) }.sorted()
        guard !values.isEmpty else { return }
        strangeness = 1.5 * values[min(values.count - 1, values.count * 999 / 1000)]
    }
}

extension ActionModel {
    /// Whether all parts fit together, so that no input leads out of bounds.
    var isSound: Bool {
        let joints = subject.joints.count
        guard classes.count >= 2, Set(classes).count == classes.count, (4...10_000).contains(length),
            rate.isFinite, (1...1000).contains(rate), usual.count == joints, bank.length == length,
            bank.channels == 2 * joints + subject.links.count, bank.isSound
        else { return false }
        return ridge.isSound(features: bank.count, classes: classes.count)
            && posture.map { subject == .body && $0.isSound(classes: classes.count) } ?? true
            && usual.allSatisfy { $0.x.isFinite && $0.y.isFinite }
            && [windowCalibration, clipCalibration].allSatisfy { (0...1000).contains($0.sharpness) }
            && [threshold, strangeness].allSatisfy(\.isFinite)
    }
}

extension FeatureBank {
    var isSound: Bool {
        // Check before any arithmetic: a file may hold the smallest representable integers.
        guard channels > 0, length > 0 else { return false }
        let maximumDilation = max(1, (length - 1) / (ConvolutionUnit.taps - 1))
        return !units.isEmpty
            && units.allSatisfy { unit in
                (1...maximumDilation).contains(unit.dilation) && unit.heavy.count == 3
                    && unit.heavy.allSatisfy { (0..<ConvolutionUnit.taps).contains($0) }
                    && !unit.channels.isEmpty && unit.bias.isFinite
                    && unit.channels.allSatisfy { (0..<channels).contains($0.index) && $0.sign.isFinite }
            }
    }
}

extension RidgeClassifier {
    func isSound(features: Int, classes: Int) -> Bool {
        centre.count == features && factor.count == features && weights.count == classes && bias.count == classes
            && weights.allSatisfy { $0.count == features && $0.allSatisfy(\.isFinite) }
            && (centre + factor + bias).allSatisfy(\.isFinite)
    }
}
