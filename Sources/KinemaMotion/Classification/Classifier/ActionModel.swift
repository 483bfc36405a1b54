import Foundation

/// A trained action classifier: everything from a window of poses to the probability of each class.
struct ActionModel: Sendable, Hashable {
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
    var windowCalibration: Calibration
    /// For the mean score of all windows of a clip.
    var clipCalibration: Calibration
    /// Below that probability a window is none of the classes.
    var threshold: Float
    /// Windows whose features lie further from the training's than this are none of the classes.
    var strangeness: Float

    /// What a window says.
    struct Judgement: Sendable, Hashable {
        /// A score for each class.
        var scores: [Float]
        /// The mean square of the standardised features: about 1 for what looks like the training examples.
        var strangeness: Float
    }

    func judge(_ window: MotionWindow) -> Judgement? {
        guard window.subject == subject, window.length == length else { return nil }
        let features = ridge.standardised(bank.features(of: window.series(usual: usual)))
        let strangeness = features.reduce(0) { $0 + $1 * $1 } / Float(features.count)
        return Judgement(scores: ridge.scores(standardised: features), strangeness: strangeness)
    }
}
