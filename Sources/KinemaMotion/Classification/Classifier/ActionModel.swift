import Foundation
import KinemaCore

/// A trained action classifier: everything from a window of poses to the probability of each class.
struct ActionModel: Sendable, Hashable, Codable {
    let subject: ActionSubject
    /// The classes' names, sorted.
    let classes: [String]
    /// Frames in a window.
    let length: Int
    /// Frames a second.
    let rate: Double
    /// Where joints are taken to be that are not seen.
    var usual: [SIMD2<Float>]
    var bank: FeatureBank
    var ridge: RidgeClassifier
    /// For one window.
    var windowCalibration = Calibration.usual
    /// For the mean score of all windows of a clip.
    var clipCalibration = Calibration.usual
    /// Below that probability a window is none of the classes.
    var threshold: Float = 0
    /// Windows whose features lie further from the training's than this are none of the classes.
    var strangeness: Float = RidgeClassifier.clip * RidgeClassifier.clip

    /// What a window says.
    struct Judgement: Sendable, Hashable {
        /// A score for each class.
        var scores: [Float]
        /// The mean square of the standardised features: about 1 for what looks like the training examples.
        var strangeness: Float
    }

    /// The judgement of a window; nil when it is of another shape, or so large that it has none.
    func judge(_ window: MotionWindow) -> Judgement? {
        guard window.subject == subject, window.length == length else { return nil }
        let features = ridge.standardised(bank.features(of: window.series(usual: usual)))
        let judgement = Judgement(scores: ridge.scores(standardised: features), strangeness: Self.meanSquare(features))
        return judgement.scores.allSatisfy(\.isFinite) && judgement.strangeness.isFinite ? judgement : nil
    }

    private static func meanSquare(_ features: [Float]) -> Float {
        features.reduce(0) { $0 + $1 * $1 } / Float(max(1, features.count))
    }

    /// The share of windows named right that may be taken for none of the classes.
    private static let sacrificed = 0.02

    /// Fits probabilities and the limit below which nothing is named to windows that were left out.
    mutating func calibrate(_ heldOut: [(clip: Int, scores: [Float])], labels: [Int]) {
        windowCalibration = .fitted(to: heldOut.map(\.scores), labels: heldOut.map { labels[$0.clip] })
        let clips = Dictionary(grouping: heldOut, by: \.clip).sorted { $0.key < $1.key }
        let means = clips.map { clip in
            classes.indices.map { label in
                clip.value.reduce(0) { $0 + $1.scores[label] } / Float(clip.value.count)
            }
        }
        clipCalibration = .fitted(to: means, labels: clips.map { labels[$0.key] })
        let right = heldOut.compactMap { window -> Float? in
            let probabilities = windowCalibration.probabilities(window.scores)
            let own = probabilities[labels[window.clip]]
            return probabilities.max() == own ? own : nil
        }.sorted()
        // Never less than a little more than chance, never so much that doubt alone rejects.
        let least = 1.3 / Float(classes.count)
        let chosen = right.isEmpty ? least : right[Int(Double(right.count) * Self.sacrificed)]
        threshold = min(0.9, max(least, chosen))
    }

    /// Half as far again as all but the strangest thousandth of the training windows.
    mutating func limitStrangeness(_ features: ArraySlice<[Float]>) {
        let ridge = ridge
        let rows = Array(features)
        let values = parallel(rows.count) { Self.meanSquare(ridge.standardised(rows[$0])) }.sorted()
        guard !values.isEmpty else { return }
        strangeness = 1.5 * values[min(values.count - 1, values.count * 999 / 1000)]
    }
}
