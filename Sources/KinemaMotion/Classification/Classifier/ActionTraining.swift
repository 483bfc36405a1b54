import Foundation
import KinemaCore

/// The work of training: windows, changed copies, features, the linear fit, probabilities, limits.
struct ActionTraining: Sendable {
    /// A clip ready to be learnt from.
    struct Example: Sendable {
        var sequence: PoseSequence
        var label: String
        /// Clips of one person are left out together when probabilities are fitted; nil stands for the clip alone.
        var person: String?
    }

    /// What training found.
    struct Outcome: Sendable {
        var model: ActionModel
        /// Windows learnt from, without changed copies.
        var windows: Int
        var groups: Int
        /// Windows as they score when their group is left out, with the clip they are from.
        var heldOut: [(clip: Int, scores: [Float])]
    }

    /// Frames in a window.
    var length = 60
    /// Frames a second.
    var rate = 30.0
    /// Random convolutions: three times as many named people left out no more than 0.2 % better.
    var units = 100
    /// Changed copies of each window.
    var copies = 1
    var augmentation = Augmentation()
    /// See `RidgeTraining`.
    var penalty: Float = 0.7
    var seed = 0
    /// How many windows cover a moment.
    var overlap = 2
    /// See `RidgeTraining`.
    var mostHeldOut = 1200

    private struct Window {
        var window: MotionWindow
        var clip: Int
    }

    /// Nil when no window shows anybody, or the fit has no solution.
    func fit(_ examples: [Example]) -> Outcome? {
        guard let subject = examples.first?.sequence.subject else { return nil }
        let classes = Set(examples.map(\.label)).sorted()
        let cut = windows(of: examples)
        guard !cut.isEmpty else { return nil }
        let usual = MotionWindow.usualPlaces(in: cut.map(\.window), of: subject)
        let all = cut + changed(cut)
        let series = parallel(all.count) { all[$0].window.series(usual: usual) }
        var bank = FeatureBank(units: units, channels: series[0].channels, length: length, seed: seed)
        bank.chooseBiases(series, seed: seed)
        let features = bank.features(of: series)
        let labels = all.map { classes.firstIndex(of: examples[$0.clip].label) ?? 0 }
        let people = examples.enumerated().map { $1.person.map { "person \($0)" } ?? "clip \($0)" }
        let names = Dictionary(uniqueKeysWithValues: Set(people).sorted().enumerated().map { ($1, $0) })
        var training = RidgeTraining()
        training.penalty = penalty
        training.mostHeldOut = mostHeldOut
        guard
            let fit = training.fit(
                features, labels: labels, groups: all.map { names[people[$0.clip]] ?? 0 }, classes: classes.count)
        else { return nil }
        let held = fit.heldOut.filter { $0.row < cut.count }.map { (clip: all[$0.row].clip, scores: $0.scores) }
        var model = ActionModel(
            subject: subject, classes: classes, length: length, rate: rate, usual: usual, bank: bank,
            ridge: fit.classifier)
        model.calibrate(held, labels: examples.map { classes.firstIndex(of: $0.label) ?? 0 })
        model.limitStrangeness(features[..<cut.count])
        return Outcome(model: model, windows: cut.count, groups: names.count, heldOut: held)
    }

    private func windows(of examples: [Example]) -> [Window] {
        let cutter = WindowCutter(length: length, step: max(1, length / overlap))
        return parallel(examples.count) { clip in
            let steady = examples[clip].sequence.resampled(rate: rate, window: Double(length) / rate)
            return steady.map(cutter.windows)?.map { Window(window: $0.window, clip: clip) } ?? []
        }.flatMap(\.self)
    }

    private func changed(_ windows: [Window]) -> [Window] {
        parallel(windows.count * copies) { index in
            var random = SeededSource(seed, item: index)
            let source = windows[index % windows.count]
            let mirrored = augmentation.mirrors && random.chance(0.5)
            return Window(
                window: augmentation.changed(source.window, mirrored: mirrored, &random), clip: source.clip)
        }
    }
}
