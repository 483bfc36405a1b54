import KinemaMotion

/// How similar the postures of a window are at every lag, and the period that this shows.
struct SelfSimilarity {
    /// Smaller differences are landmark jitter: the joints' root mean square distance, body sizes.
    private static let least: Float = 0.05

    private let count: Int
    /// Squared distance between two postures, nil where one is missing; row by row.
    private let squares: [Float?]

    init(_ distances: PostureDistances) { (count, squares) = (distances.count, distances.squares) }

    /// The period and its strength, frame by frame.
    var predictions: [HumanBodyActionPeriodPredictor.Prediction] {
        let nothing = HumanBodyActionPeriodPredictor.Prediction(period: 0, periodicity: 0)
        // The window must hold two of the shortest periods.
        guard count >= 8 else { return Array(repeating: nothing, count: count) }
        let all = spread(around: count / 2, reach: count)
        guard let whole = bestLag(all, among: 4...max(4, count * 2 / 3)) else {
            return Array(repeating: nothing, count: count)
        }
        // The local tempo may differ from that of the whole window by a third.
        let near = max(4, whole.lag * 2 / 3)...min(max(4, count * 2 / 3), max(5, whole.lag * 4 / 3))
        return (0..<count).map { frame in
            guard let local = bestLag(spread(around: frame, reach: whole.lag * 3 / 2), among: near) else {
                return nothing
            }
            return .init(period: local.period, periodicity: local.strength)
        }
    }

    /// The mean squared distance at each lag between frames within `reach` of a frame; nil where too few are known.
    private func spread(around frame: Int, reach: Int) -> [Float?] {
        // Near the window's ends the stretch shifts inwards instead of shrinking.
        let begin = max(0, min(frame - reach, count - 1 - 2 * reach))
        let frames = begin...min(count - 1, begin + 2 * reach)
        return (0..<count).map { lag in
            var sum: Float = 0
            var number = 0
            for early in frames where early + lag <= frames.upperBound {
                guard let square = squares[early * count + early + lag] else { continue }
                sum += square
                number += 1
            }
            return number * 4 >= frames.count ? sum / Float(number) : nil
        }
    }

    /// The shortest lag at which the movement repeats, also with subframe precision.
    private func bestLag(_ spread: [Float?], among lags: ClosedRange<Int>) -> (
        lag: Int, period: Float, strength: Float
    )? {
        let known = spread.compactMap { $0 }
        guard let top = known.max(), top > Self.least * Self.least else { return nil }
        var dips: [(lag: Int, depth: Float)] = []
        for lag in lags where lag > 0 && lag < count {
            guard let here = spread[lag] else { continue }
            let before = spread[lag - 1] ?? .infinity
            let after = lag + 1 < count ? spread[lag + 1] ?? .infinity : .infinity
            if here <= before, here < after { dips.append((lag, 1 - here / top)) }
        }
        guard let deepest = dips.map(\.depth).max(), deepest > 0.3,
            let dip = dips.first(where: { $0.depth > 0.85 * deepest })
        else { return nil }
        return (dip.lag, Float(dip.lag) + offset(spread, at: dip.lag), max(0, min(1, dip.depth)))
    }

    /// The vertex of the parabola through a dip and its neighbours.
    private func offset(_ spread: [Float?], at lag: Int) -> Float {
        guard lag + 1 < count, let before = spread[lag - 1], let here = spread[lag], let after = spread[lag + 1],
            before + after - 2 * here > 0
        else { return 0 }
        return max(-0.5, min(0.5, (before - after) / (2 * (before + after - 2 * here))))
    }
}
