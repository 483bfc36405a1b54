import Foundation
import KinemaCore

/// A linear classifier by ridge regression on standardised features, with a closed-form solution.
struct RidgeClassifier: Sendable, Hashable, Codable {
    /// The offset subtracted from each feature, and the factor it is then multiplied by.
    var centre: [Float]
    var factor: [Float]
    /// One row of weights per class.
    var weights: [[Float]]
    var bias: [Float]

    /// Standardised features are clipped at this many standard deviations.
    ///
    /// Features of unknown people lie further out than those of the training set and would outvote the rest. Chosen on
    /// the people of one set of recordings, together with the joint smoothing and the statistics.
    static let clip: Float = 1.5

    func standardised(_ features: [Float]) -> [Float] {
        var result = features
        for index in result.indices {
            result[index] = max(-Self.clip, min(Self.clip, (result[index] - centre[index]) * factor[index]))
        }
        return result
    }

    /// The score of each class from standardised features; about 1 for the right class and -1 for others.
    func scores(standardised features: [Float]) -> [Float] {
        zip(weights, bias).map { row, bias in
            var sums = SIMD4<Float>.zero
            let whole = features.count / 4 * 4
            for index in stride(from: 0, to: whole, by: 4) {
                sums +=
                    SIMD4(features[index], features[index + 1], features[index + 2], features[index + 3])
                    * SIMD4(row[index], row[index + 1], row[index + 2], row[index + 3])
            }
            var sum = sums.sum() + bias
            for index in whole..<features.count { sum += features[index] * row[index] }
            return sum
        }
    }
}

/// Trains a ridge classifier and predicts held-out groups, all from one factorisation.
struct RidgeTraining: Sendable {
    /// The regularisation strength, per feature.
    var penalty: Float = 0.5
    /// The maximum number of rows held out for calibration; more take time and add nothing.
    var maximumHeldOut = 1200
    /// Leaves features at their own scale, where it is meaningful.
    var isCentringOnly = false

    struct Outcome: Sendable {
        var classifier: RidgeClassifier
        /// Rows with their scores when their whole group is held out.
        var heldOut: [(row: Int, scores: [Float])]
    }

    /// Fits to rows of features with their classes; rows of one group (a person or clip) are held out together.
    ///
    /// Nil if the penalty cannot regularise the features. With `heldOutGroup` only that group is held out.
    func fit(
        _ features: [[Float]], labels: [Int], groups: [Int], classes: Int, heldOutGroup: Int? = nil, clips: [Int]? = nil
    ) -> Outcome? {
        guard let width = features.first?.count, width > 0 else { return nil }
        var classifier = Self.standardiser(features)
        if isCentringOnly { classifier.factor = classifier.factor.map { $0 > 0 ? 1 : 0 } }
        let rows = parallel(features.count) { classifier.standardised(features[$0]) }
        let weights = Self.rowWeights(labels, classes: classes, clips: clips)
        let held =
            heldOutGroup.map { group in groups.indices.filter { groups[$0] == group } }
            ?? Self.heldOut(groups, maximum: maximumHeldOut)
        // The rows of the bordered matrix: the square, the targets and the rows to hold out.
        let transposed = Self.columns(of: rows, weights: weights, width: width)
        let square = transposed.rowProducts()
        var bordered = Matrix(rows: width + classes + held.count, columns: width)
        for index in 0..<width * square.stride { bordered.values[index] = square.values[index] }
        for index in 0..<width { bordered[index, index] += penalty * Float(width) }
        let total = weights.reduce(0, +)
        classifier.bias = (0..<classes).map { label in
            zip(labels, weights).reduce(0) { $0 + ($1.0 == label ? $1.1 : -$1.1) } / total
        }
        let bias = classifier.bias
        let targets = parallel(classes) { label in
            Self.target(label, rows, labels: labels, weights: weights, bias: bias[label], width: width)
        }
        for (label, target) in targets.enumerated() {
            for index in 0..<width { bordered[width + label, index] = target[index] }
        }
        for (position, row) in held.enumerated() {
            let root = weights[row].squareRoot()
            for index in 0..<width { bordered[width + classes + position, index] = rows[row][index] * root }
        }
        guard let factor = BorderedCholesky(bordered) else { return nil }
        classifier.weights = parallel(classes) { factor.solution($0) }
        let groupRows = Dictionary(grouping: held.indices) { groups[held[$0]] }.sorted { $0.key < $1.key }.map(\.value)
        let fitted = classifier
        let parts = parallel(groupRows.count) { index in
            Self.heldOutScores(
                groupRows[index].map { (position: $0, row: held[$0]) }, factor, classes: classes,
                residual: { row in
                    zip(fitted.scores(standardised: rows[row]), 0..<classes).map { ($1 == labels[row] ? 1 : -1) - $0 }
                }, labels: labels, weights: weights)
        }
        return Outcome(classifier: classifier, heldOut: parts.flatMap(\.self).sorted { $0.row < $1.row })
    }
}

extension RidgeTraining {
    static func standardiser(_ features: [[Float]]) -> RidgeClassifier {
        let width = features.first?.count ?? 0
        var (sum, squares) = ([Double](repeating: 0, count: width), [Double](repeating: 0, count: width))
        for row in features {
            for index in 0..<width {
                sum[index] += Double(row[index])
                squares[index] += Double(row[index]) * Double(row[index])
            }
        }
        let count = Double(features.count)
        let mean = sum.map { $0 / count }
        let factor = (0..<width).map { index -> Float in
            let deviation = max(0, squares[index] / count - mean[index] * mean[index]).squareRoot()
            // Scaling a nearly constant feature up would only amplify noise.
            return deviation > 1e-4 ? Float(1 / (deviation + 1e-3)) : 0
        }
        return RidgeClassifier(centre: mean.map(Float.init), factor: factor, weights: [], bias: [])
    }

    /// Balances the classes by weights of at most a factor of three; with `clips`, rows of a clip share its weight.
    static func rowWeights(_ labels: [Int], classes: Int, clips: [Int]?) -> [Float] {
        var shares = [Float](repeating: 1, count: labels.count)
        if let clips {
            let rows = clips.reduce(into: [Int: Float]()) { $0[$1, default: 0] += 1 }
            shares = clips.map { Float(labels.count) / (Float(rows.count) * (rows[$0] ?? 1)) }
        }
        let counts = zip(labels, shares).reduce(into: [Float](repeating: 0, count: classes)) { $0[$1.0] += $1.1 }
        let present = Float(counts.count { $0 > 0 })
        return zip(labels, shares).map { label, share in
            let even = Float(labels.count) / (present * counts[label])
            return share * min(3, max(1 / 3, even))
        }
    }

    /// The rows of as many groups as fit the limit.
    private static func heldOut(_ groups: [Int], maximum: Int) -> [Int] {
        let members = Dictionary(grouping: groups.indices) { groups[$0] }
        guard members.count > 1 else { return [] }
        // Spread the selection over all groups, because neighbours are often similar.
        let order = members.keys.sorted()
        let share = min(1, Double(maximum) / Double(groups.count))
        let wanted = max(2, Int((Double(order.count) * share).rounded()))
        let chosen = (0..<wanted).map { order[$0 * order.count / wanted] }
        return chosen.flatMap { members[$0] ?? [] }.sorted()
    }

    /// The transposed matrix of weighted rows: one row per feature.
    private static func columns(of rows: [[Float]], weights: [Float], width: Int) -> Matrix {
        var result = Matrix(rows: width, columns: rows.count)
        for (row, values) in rows.enumerated() {
            let root = weights[row].squareRoot()
            for index in 0..<width { result.values[index * result.stride + row] = values[index] * root }
        }
        return result
    }

    private static func target(
        _ label: Int, _ rows: [[Float]], labels: [Int], weights: [Float], bias: Float, width: Int
    ) -> [Float] {
        var sum = [Float](repeating: 0, count: width)
        for (row, values) in rows.enumerated() {
            let value = ((labels[row] == label ? 1 : -1) - bias) * weights[row]
            for index in 0..<width { sum[index] += value * values[index] }
        }
        return sum
    }

    /// The scores of a group's rows from a fit without the group.
    ///
    /// With H the group's block of the hat matrix, its residuals are (I - H)⁻¹ times those of the full fit.
    private static func heldOutScores(
        _ group: [(position: Int, row: Int)], _ factor: BorderedCholesky, classes: Int, residual: (Int) -> [Float],
        labels: [Int], weights: [Float]
    ) -> [(row: Int, scores: [Float])] {
        let count = group.count
        var system = Matrix(rows: count + classes, columns: count)
        var lines = Matrix(rows: count, columns: factor.order)
        for (index, member) in group.enumerated() {
            let row = factor.factor.row(factor.order + classes + member.position)
            lines.values.replaceSubrange(index * lines.stride..<index * lines.stride + factor.order, with: row)
        }
        let hat = lines.rowProducts()
        for i in 0..<count {
            // Slightly more than 1 keeps the system solvable for a row with leverage 1.
            for j in 0...i { system[i, j] = (i == j ? 1.0001 : 0) - hat[i, j] }
            for (label, value) in residual(group[i].row).enumerated() {
                system[count + label, i] = value * weights[group[i].row].squareRoot()
            }
        }
        guard let solved = BorderedCholesky(system) else { return [] }
        let residuals = (0..<classes).map { solved.solution($0) }
        return group.enumerated().map { index, member in
            let root = weights[member.row].squareRoot()
            let scores = (0..<classes).map { label in
                (labels[member.row] == label ? 1 : -1) - residuals[label][index] / root
            }
            return (member.row, scores)
        }
    }
}
