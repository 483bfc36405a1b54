/// The training data of a classifier and its accuracy on held-out examples.
public struct TrainingSummary: Hashable, Sendable, Codable {
    /// The number of training clips in each class.
    public var clips: [String: Int]
    /// The number of training windows, without augmented copies.
    public var windows: Int
    /// The number of groups held out: people, or clips if people are unknown.
    public var groups: Int
    /// The shares of clips and of windows classified correctly by a fit without their group; nil if nothing was held out.
    public var heldOutClipAccuracy, heldOutWindowAccuracy: Double?
    package var seed: Int
    /// How often each class (column) was predicted for each true class (row), over the held-out clips; nil if none were
    /// held out, and in files of older versions.
    public var confusion: [[Int]]?
    /// The settings tried in training, in order; nil in files of older versions.
    package var rounds: [TrainingRound]?
    /// Whether mirrored movements were learnt too; nil in files of older versions.
    package var isMirrored: Bool?
    /// The share of the score that posture has, 0...1; nil in files of older versions.
    package var postureShare: Double?
    /// The median length of the training clips in seconds; nil in files of older versions.
    package var medianSeconds: Double?
    /// Whether the examples named people; nil in files of older versions.
    package var hasPeople: Bool?
}

/// A setting that was tried in training, with its results on held-out clips.
package struct TrainingRound: Hashable, Sendable, Codable {
    package var name: String
    /// The share of held-out clips that were classified correctly, 0...1.
    package var accuracy: Double
    /// The mean squared error of the held-out scores.
    package var loss: Double
    package var isTaken: Bool
}
