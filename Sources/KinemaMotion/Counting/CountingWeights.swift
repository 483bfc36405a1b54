import Foundation

/// What counting was fitted to: the network, the trees that judge cycles, and those that judge whole solutions.
///
/// `script/counting fit` writes them; the comments at the top of each file say to which recordings they were fitted.
package struct CountingWeights: Sendable {
    let network: RepetitionNetwork
    let cycles: BoostedTrees, solutions: BoostedTrees

    /// The names of the files.
    package static let files = ["RepetitionNetwork.txt", "CycleTrees.txt", "SolutionTrees.txt"]

    /// The built-in weights. A task can count with others, to measure recordings by weights that were fitted without them.
    @TaskLocal package static var inUse = builtIn
    /// Whether the last seconds are read while a recording goes on; a task that only needs evidence of the whole skips it.
    @TaskLocal package static var readsLive = true

    private static let builtIn: CountingWeights = {
        let texts = [MotionData.repetitionNetwork, MotionData.cycleTrees, MotionData.solutionTrees]
        guard let weights = CountingWeights(texts: texts.map { String(decoding: $0, as: UTF8.self) }) else {
            preconditionFailure(
                "the weights in Sources/KinemaMotion/Counting do not fit the code; script/counting fit writes them")
        }
        return weights
    }()

    /// Nil if the texts of `files` do not fit this counter.
    package init?(texts: [String]) {
        guard texts.count == 3, let network = RepetitionNetwork(text: texts[0]),
            let cycles = BoostedTrees(text: texts[1]), let solutions = BoostedTrees(text: texts[2]),
            cycles.quantities == CycleEvidence.whole.count + CycleEvidence.each.count,
            solutions.quantities == SolutionEvidence.names.count
        else { return nil }
        (self.network, self.cycles, self.solutions) = (network, cycles, solutions)
    }

    /// How many quantities the trees of cycles have.
    package var quantities: Int { cycles.quantities }

    /// The probabilities of each hypothesis's cycles, 0...1.
    func probabilities(_ hypotheses: [CycleHypothesis]) -> [[Float]] {
        var evidence: [Float] = []
        for hypothesis in hypotheses {
            for own in hypothesis.each {
                evidence += hypothesis.whole
                evidence += own
            }
        }
        var rest = cycles.sums(evidence).map { 1 / (1 + exp(-$0)) }[...]
        return hypotheses.map { hypothesis in
            defer { rest = rest.dropFirst(hypothesis.each.count) }
            return Array(rest.prefix(hypothesis.each.count))
        }
    }
}
