import Foundation

/// The probability that a cycle is a repetition, by trees that `script/counting fit` fits to labelled recordings and
/// writes into CycleTrees.txt.
struct CycleScore: Sendable {
    /// Nil if there are none that match the evidence.
    let trees: BoostedTrees?

    /// The trees in use; the comments at the top of their file say what they were fitted to.
    static let fitted = CycleScore(
        BoostedTrees(
            base64: String(decoding: PackageResources.CycleTrees_txt, as: UTF8.self).split(separator: "\n")
                .drop { $0.hasPrefix("#") }.joined()))

    /// Trees for a different number of quantities than `CycleEvidence` has are rejected.
    init(_ trees: BoostedTrees?) {
        let names = CycleEvidence.whole.count + CycleEvidence.each.count
        self.trees = trees?.quantities == names ? trees : nil
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
        var rest = trees?.probabilities(evidence)[...]
        return hypotheses.map { hypothesis in
            let count = hypothesis.each.count
            defer { rest = rest?.dropFirst(count) }
            return rest.map { Array($0.prefix(count)) } ?? [Float](repeating: 0, count: count)
        }
    }

    /// How much each quantity adds to the logarithm of the odds, averaged over a hypothesis's cycles.
    func reasons(_ whole: [Float], _ each: [[Float]]) -> [(name: String, weight: Float)] {
        let names = CycleEvidence.whole + CycleEvidence.each
        var sums = [Float](repeating: 0, count: names.count)
        for own in each {
            for (place, weight) in (trees?.contributions(whole + own) ?? []).enumerated() { sums[place] += weight }
        }
        return zip(names, sums).map { ($0, $1 / Float(max(1, each.count))) }
    }
}
