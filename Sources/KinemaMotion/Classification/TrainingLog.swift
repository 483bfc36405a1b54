import KinemaCore

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

    /// Marks the last round, and no other, as the one that the classifier uses.
    mutating func take() {
        for index in rounds.indices { rounds[index].isTaken = index == rounds.count - 1 }
    }
}
