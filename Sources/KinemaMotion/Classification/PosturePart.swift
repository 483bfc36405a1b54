/// The posture classifier within an action classifier.
struct PosturePart: Sendable, Hashable, Codable {
    var bank: PostureBank
    var ridge: RidgeClassifier
    /// The share of the score that posture has, above 0 and at most 1; the rest is movement's.
    var share: Float

    func scores(_ window: MotionWindow, missing: [SIMD2<Float>]) -> [Float] {
        let statistics = PostureBank.statistics(of: PostureSeries.series(of: window, missing: missing))
        return ridge.scores(standardised: ridge.standardised(bank.features(of: statistics)))
    }

    func isSound(classes: Int) -> Bool {
        bank.isSound && ridge.isSound(features: PostureBank.count, classes: classes) && share > 0 && share <= 1
    }
}
