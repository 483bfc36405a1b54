import Foundation

/// Trains an action classifier on labelled pose sequences.
struct ActionTraining: Sendable {
    /// A labelled clip.
    struct Example: Sendable {
        var sequence: PoseSequence
        var label: String
        /// Who it shows; clips of one person are left out together when probabilities are fitted.
        var person: String?
    }

    var length = 60
    var rate = 30.0
    /// Random convolutions.
    var units = 300
    /// Changed copies of each window.
    var copies = 1
    var augmentation = Augmentation()
    var penalty: Float = 0.5
    var seed = 0
    var overlap = 2
    /// See `RidgeTraining`.
    var mostHeldOut = 1200

    struct Window {
        var window: MotionWindow
        var clip: Int
    }

    func fit(_ examples: [Example]) -> (model: ActionModel, heldOut: [(clip: Int, scores: [Float])])? {
        guard let subject = examples.first?.sequence.subject else { return nil }
        let classes = Set(examples.map(\.label)).sorted()
        let cutter = WindowCutter(length: length, step: max(1, length / overlap))
        let cut = parallel(examples.count) { clip in
            cutter.windows(of: examples[clip].sequence.resampled(rate: rate)).map { Window(window: $0.window, clip: clip) }
        }.flatMap(\.self)
        guard !cut.isEmpty else { return nil }
        let usual = MotionWindow.usualPlaces(in: cut.map(\.window), of: subject)
        let changed = parallel(cut.count * copies) { index in
            var random = SeededSource(seed, item: index)
            let source = cut[index % cut.count]
            let mirrored = augmentation.mirrors && random.chance(0.5)
            return Window(window: augmentation.changed(source.window, mirrored: mirrored, &random), clip: source.clip)
        }
        let all = cut + changed
        let series = parallel(all.count) { all[$0].window.series(usual: usual) }
        var bank = FeatureBank(units: units, channels: series[0].channels, length: length, seed: seed)
        bank.chooseBiases(series, seed: seed)
        let features = bank.features(of: series)
        let labels = all.map { classes.firstIndex(of: examples[$0.clip].label) ?? 0 }
        let people = examples.enumerated().map { $1.person ?? "clip \($0)" }
        let names = Set(people).sorted()
        let groups = all.map { names.firstIndex(of: people[$0.clip]) ?? 0 }
        var training = RidgeTraining()
        training.penalty = penalty
        training.mostHeldOut = mostHeldOut
        guard let outcome = training.fit(features, labels: labels, groups: groups, classes: classes.count) else {
            return nil
        }
        let held = outcome.heldOut.filter { $0.row < cut.count }
        let calibration = Calibration.fitted(to: held.map(\.scores), labels: held.map { labels[$0.row] })
        let model = ActionModel(
            subject: subject, classes: classes, length: length, rate: rate, usual: usual, bank: bank,
            ridge: outcome.classifier, windowCalibration: calibration, clipCalibration: calibration, threshold: 0,
            strangeness: .infinity)
        return (model, held.map { (all[$0.row].clip, $0.scores) })
    }
}
