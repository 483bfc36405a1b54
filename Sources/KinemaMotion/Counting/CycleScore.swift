import Foundation

/// The probability that a cycle is a repetition, by trees that `script/counting fit` fits to labelled recordings and
/// writes into CycleTrees.txt.
package struct CycleScore: Sendable {
    let trees: BoostedTrees
    /// The number of quantities that the trees must have.
    package static let quantities = CycleEvidence.whole.count + CycleEvidence.each.count

    /// The built-in trees; the comments at the top of their file say what they were fitted to. A task can count with
    /// others, to measure recordings by trees that were fitted without them.
    @TaskLocal package static var inUse = builtIn

    private static let builtIn: CycleScore = {
        guard let score = CycleScore(text: String(decoding: MotionData.cycleTrees, as: UTF8.self)) else {
            preconditionFailure("CycleTrees.txt does not fit CycleEvidence; script/counting fit writes it")
        }
        return score
    }()

    /// Nil if the text is not a file of trees for as many quantities as `CycleEvidence` has.
    package init?(text: String) {
        let lines = text.split(separator: "\n").drop { $0.hasPrefix("#") }
        guard let trees = BoostedTrees(base64: lines.joined()), trees.quantities == Self.quantities else { return nil }
        self.trees = trees
    }

    /// The probabilities of each hypothesis's cycles, 0...1.
    func probabilities(_ hypotheses: [CycleHypothesis]) -> [[Float]] {
        var evidence: [Float] = []
        for hypothesis in hypotheses {
            for own in hypothesis.each {
                evidence += hypothesis.whole
                evidence += own
            }
        }
        var rest = trees.probabilities(evidence)[...]
        return hypotheses.map { hypothesis in
            defer { rest = rest.dropFirst(hypothesis.each.count) }
            return Array(rest.prefix(hypothesis.each.count))
        }
    }

    /// How much each quantity adds to the logarithm of the odds, averaged over a hypothesis's cycles.
    func reasons(_ whole: [Float], _ each: [[Float]]) -> [(name: String, weight: Float)] {
        let names = CycleEvidence.whole + CycleEvidence.each
        var sums = [Float](repeating: 0, count: names.count)
        for own in each {
            for (place, weight) in trees.contributions(whole + own).enumerated() { sums[place] += weight }
        }
        return zip(names, sums).map { ($0, $1 / Float(max(1, each.count))) }
    }
}
