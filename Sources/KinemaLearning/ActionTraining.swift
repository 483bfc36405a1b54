import KinemaMotion
import KinemaCore

/// The training algorithm: windows, augmentation, features, linear fits, validation, calibration, limits.
struct ActionTraining: Sendable {
    struct Outcome: Sendable {
        var model: ActionModel
        /// The number of training windows, without augmented copies.
        var windows: Int
        var groups: Int
        /// The scores of windows whose group was held out, with their clips.
        var heldOut: [(clip: Int, scores: [Float])]
        var rounds: [TrainingRound]
        var isMirrored: Bool
    }

    let trainer: ActionTrainer

    /// The number of random convolutions; three times as many improved accuracy on held-out people by at most 0.2 %.
    static let units = 100
    private static let penalty: Float = 0.7
    private static let maximumHeldOut = 1200
    /// The penalties of posture, strongest first; the next is tried while results improve.
    static let posturePenalties: [Float] = [0.01, 0.005, 0.0025, 0.001]
    /// The candidate shares of posture in the score; a later one must be strictly better. For instruments played by
    /// unknown people, movement alone classified 98 %, with posture 97 %; push-ups were the opposite.
    static let postureShares: [Float] = [0, 0.5, 1]

    /// Mirroring is dropped if the squared error on held-out clips falls below this share; for instruments 0.79 to
    /// 0.88.
    static let clearlyBetter = 0.9

    /// Trains a model; nil if no window shows anybody or the fit has no solution.
    func fit(_ examples: [ActionTrainer.Example]) -> Outcome? {
        guard let subject = examples.first?.sequence.subject else { return nil }
        let material = TrainingMaterial(examples, windows: windows(of: examples), trainer)
        guard let subjectMean = material.windows.isEmpty ? nil : material.meanPositions else { return nil }
        var log = TrainingLog(material)
        guard let movement = bestMovement(material, &log) else { return nil }
        let posture = subject == .body && trainer.validation != .none ? bestPosture(material, &log) : nil
        let (share, heldOut) = Self.mixed(movement, posture, &log)
        var model = ActionModel(
            subject: subject, classes: material.classes, length: trainer.predictionWindowSize,
            rate: trainer.targetFrameRate, usual: subjectMean, bank: movement.bank, ridge: movement.fit.classifier)
        if let posture, share > 0 {
            model.posture = PosturePart(bank: posture.bank, ridge: posture.fit.classifier, share: share)
        }
        let held = heldOut.map { (clip: material.windows[$0.row].clip, scores: $0.scores) }
        model.calibrate(held, labels: material.clipLabels)
        model.fitStrangenessLimit(movement.features[..<material.windows.count])
        return Outcome(
            model: model, windows: material.windows.count, groups: material.groupCount, heldOut: held,
            rounds: log.rounds, isMirrored: movement.isMirrored)
    }

    private func windows(of examples: [ActionTrainer.Example]) -> [TrainingMaterial.Window] {
        let (length, rate) = (trainer.predictionWindowSize, trainer.targetFrameRate)
        return parallel(examples.count) { clip -> [TrainingMaterial.Window] in
            let steady = examples[clip].sequence.resampled(rate: rate, window: Double(length) / rate)
            guard let steady else { return [] }
            return MotionWindow.starts(in: steady.count, length: length).compactMap { start in
                MotionWindow(steady, from: start, length: length).map { .init(window: $0, clip: clip) }
            }
        }.flatMap(\.self)
    }
}

/// The two parts of a classifier, and the choices of validation.
extension ActionTraining {
    private struct Movement {
        var bank: FeatureBank
        var fit: RidgeTraining.Outcome
        var features: [[Float]]
        var isMirrored: Bool
        /// Scores of held-out windows, without copies.
        var heldOut: [(row: Int, scores: [Float])]
    }

    private struct Posture {
        var bank: PostureBank
        var fit: RidgeTraining.Outcome
    }

    /// The fit with mirrored copies, or without them if that classifies held-out clips better.
    private func bestMovement(_ material: TrainingMaterial, _ log: inout TrainingLog) -> Movement? {
        let mirrors = trainer.augmentationOptions.contains(.horizontalFlip)
        guard let first = movement(material, mirrors: mirrors) else { return nil }
        log.add(mirrors ? "movement, mirrored too" : "movement", first.heldOut)
        guard mirrors, trainer.mirrorsOnlyIfBetter, trainer.validation != .none else { return first }
        guard let plain = movement(material, mirrors: false) else { return first }
        log.add("movement, not mirrored", plain.heldOut)
        return log.rounds[1].loss < Self.clearlyBetter * log.rounds[0].loss ? plain : first
    }

    private func movement(_ material: TrainingMaterial, mirrors: Bool) -> Movement? {
        let all = material.windows + augmented(material.windows, mirrors: mirrors)
        let series = parallel(all.count) { all[$0].window.series(missing: material.meanPositions) }
        var bank = FeatureBank(
            units: Self.units, channels: series[0].channels, length: trainer.predictionWindowSize,
            seed: trainer.randomSeed)
        bank.fitBiases(series, seed: trainer.randomSeed)
        let features = bank.features(of: series)
        let training = RidgeTraining(penalty: Self.penalty, maximumHeldOut: Self.maximumHeldOut)
        guard let fit = training.fit(features, material, all) else { return nil }
        return Movement(
            bank: bank, fit: fit, features: features, isMirrored: mirrors,
            heldOut: fit.heldOut.filter { $0.row < material.windows.count })
    }

    /// The number of augmented copies of each window.
    private var copies: Int { trainer.augmentationOptions.isEmpty ? 0 : 1 }

    private func augmented(_ windows: [TrainingMaterial.Window], mirrors: Bool) -> [TrainingMaterial.Window] {
        let augmentation = Augmentation(trainer.augmentationOptions)
        return parallel(windows.count * copies) { index in
            var random = RandomSource(trainer.randomSeed, item: index)
            let source = windows[index % windows.count]
            let mirrored = mirrors && random.chance(0.5)
            return .init(
                window: augmentation.augmented(source.window, mirrored: mirrored, &random), clip: source.clip)
        }
    }

    /// The fits from strong to weak penalty, until the held-out scores no longer improve. Windows are not augmented:
    /// rotated or scaled copies made push-ups worse by 1 to 4 %.
    private func bestPosture(_ material: TrainingMaterial, _ log: inout TrainingLog) -> Posture? {
        let statistics = parallel(material.windows.count) { index in
            PostureBank.statistics(
                of: PostureSeries.series(of: material.windows[index].window, missing: material.meanPositions))
        }
        let bank = PostureBank(fitting: statistics)
        let features = parallel(statistics.count) { bank.features(of: statistics[$0]) }
        var best: Posture?
        var least = Double.infinity
        for penalty in Self.posturePenalties {
            // The same share of the groups as for movement, whose copies are rows too.
            let training = RidgeTraining(
                penalty: penalty, maximumHeldOut: Self.maximumHeldOut / (copies + 1), isCentringOnly: true)
            let fit = training.fit(features, material, material.windows, clipsAlike: true)
            guard let fit else { break }
            log.add("posture, penalty \(penalty)", fit.heldOut)
            guard let loss = log.rounds.last?.loss, loss < least else { break }
            (best, least) = (Posture(bank: bank, fit: fit), loss)
        }
        return best
    }

    /// The share of posture that classifies most held-out clips correctly, with its scores.
    private static func mixed(
        _ movement: Movement, _ posture: Posture?, _ log: inout TrainingLog
    ) -> (share: Float, heldOut: [(row: Int, scores: [Float])]) {
        var best = (share: Float(0), heldOut: movement.heldOut)
        let others = Dictionary(uniqueKeysWithValues: (posture?.fit.heldOut ?? []).map { ($0.row, $0.scores) })
        var most = -1.0
        for share in others.isEmpty ? [0] : postureShares {
            let scores = movement.heldOut.compactMap { row, scores in
                others.isEmpty ? (row, scores) : others[row].map { (row, ActionModel.mix(scores, $0, share)) }
            }
            log.add(share == 0 ? "movement alone" : "posture's share \(Int(share * 100)) %", scores)
            guard let accuracy = log.rounds.last?.accuracy, accuracy > most else { continue }
            (best, most) = ((share, scores), accuracy)
            log.take()
        }
        return best
    }
}

/// The settings tried in training, with their results on held-out clips.
struct TrainingLog: Sendable {
    private let material: TrainingMaterial
    private(set) var rounds: [TrainingRound] = []

    init(_ material: TrainingMaterial) { self.material = material }

    mutating func add(_ name: String, _ heldOut: [(row: Int, scores: [Float])]) {
        var loss = 0.0
        var sums: [Int: [Float]] = [:]
        for (row, scores) in heldOut {
            let clip = material.windows[row].clip
            let truth = material.clipLabels[clip]
            for (label, score) in scores.enumerated() {
                let error = Double(score - (label == truth ? 1 : -1))
                loss += error * error
            }
            sums[clip] = zip(sums[clip] ?? scores.map { _ in 0 }, scores).map(+)
        }
        let right = sums.count { clip, scores in
            scores.indices.max { scores[$0] < scores[$1] } == material.clipLabels[clip]
        }
        rounds.append(
            TrainingRound(
                name: name, accuracy: Double(right) / Double(max(1, sums.count)),
                loss: loss / Double(max(1, heldOut.count * material.classes.count)), isTaken: false))
    }

    /// Marks only the last round as the one that the classifier uses.
    mutating func take() { for index in rounds.indices { rounds[index].isTaken = index == rounds.count - 1 } }
}

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
