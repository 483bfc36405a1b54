import Foundation
import KinemaCore

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
