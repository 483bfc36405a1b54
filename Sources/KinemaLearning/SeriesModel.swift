import KinemaMotion
import Dispatch

package struct SeriesModel: Sendable, Codable {
    /// The offset subtracted from each channel, and the factor it is then multiplied by.
    var centre: [Float]
    var factor: [Float]
    var bank: FeatureBank
    var ridge: RidgeClassifier
    var calibration: Calibration

    package var channels: Int { bank.channels }
    package var length: Int { bank.length }

    package func probabilities(_ rows: [Float]) -> [Float] {
        let windows = Self.windows(rows, width: bank.channels, length: bank.length)
        let scores = windows.map { window in
            ridge.scores(standardised: ridge.standardised(bank.features(of: scaled(window))))
        }
        let count = Float(max(1, scores.count))
        return calibration.probabilities(
            ridge.bias.indices.map { label in scores.reduce(0) { $0 + $1[label] } / count })
    }

    func scaled(_ window: SeriesWindow) -> SeriesWindow {
        var result = window
        for channel in 0..<window.channels {
            for frame in 0..<window.length {
                let index = channel * window.length + frame
                let value = (window.values[index] - centre[channel]) * factor[channel]
                result.values[index] = value.isFinite ? value : 0
            }
        }
        return result
    }
}

extension SeriesModel {
    /// Half-overlapping windows, channel by channel; a sequence that is too short plays forwards and backwards.
    private static func windows(_ rows: [Float], width: Int, length: Int) -> [SeriesWindow] {
        let count = rows.count / width
        guard count > 0 else { return [] }
        return MotionWindow.starts(in: count, length: length).map { start in
            var values = [Float](repeating: 0, count: width * length)
            for frame in 0..<length {
                let row = MotionWindow.reflect(start + frame, in: count)
                for channel in 0..<width { values[channel * length + frame] = rows[row * width + channel] }
            }
            return SeriesWindow(channels: width, length: length, values: values)
        }
    }

    /// Trains on windows of labelled sequences, whose values are stored row by row; uses `maximumRows` of a long
    /// sequence.
    package static func fitted(
        to examples: [(rows: [Float], label: Int)], width: Int, classes: Int, length: Int, maximumRows: Int, seed: Int
    ) -> SeriesModel? {
        let cut = examples.map { example in
            let rows = Array(example.rows.prefix(min(maximumRows, example.rows.count) * width))
            return windows(rows, width: width, length: length)
        }
        let all = cut.flatMap(\.self)
        let groups = cut.indices.flatMap { Array(repeating: $0, count: cut[$0].count) }
        let labels = groups.map { examples[$0].label }
        let (centre, factor) = scale(all, width: width)
        var model = SeriesModel(
            centre: centre, factor: factor,
            bank: FeatureBank(units: ActionTraining.units, channels: width, length: length, seed: seed),
            ridge: RidgeClassifier(centre: [], factor: [], weights: [], bias: []), calibration: .standard)
        let scaled = all.map(model.scaled)
        model.bank.fitBiases(scaled, seed: seed)
        let features = model.bank.features(of: scaled)
        guard let fit = RidgeTraining().fit(features, labels: labels, groups: groups, classes: classes) else {
            return nil
        }
        model.ridge = fit.classifier
        model.calibration = .fitted(to: fit.heldOut.map(\.scores), labels: fit.heldOut.map { labels[$0.row] })
        return model
    }

    private static func scale(_ windows: [SeriesWindow], width: Int) -> ([Float], [Float]) {
        var (centres, factors): ([Float], [Float]) = ([], [])
        for channel in 0..<width {
            let values = windows.flatMap { window in
                window.values[channel * window.length..<(channel + 1) * window.length].lazy.filter(\.isFinite)
            }
            let count = Double(max(1, values.count))
            let mean = values.reduce(0.0) { $0 + Double($1) } / count
            let spread = (values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count).squareRoot()
            centres.append(Float(mean))
            factors.append(spread > 1e-9 ? Float(1 / spread) : 0)
        }
        return (centres, factors)
    }
}

/// Time series of several channels, the input of feature extraction.
struct SeriesWindow: Sendable {
    let channels: Int
    let length: Int
    var values: [Float]
}

extension MotionWindow {
    /// The joint positions and the distances between linked joints; `missing` replaces joints that were not seen.
    func series(missing: [SIMD2<Float>]) -> SeriesWindow {
        let count = subject.joints.count
        let links = subject.links
        let channels = 2 * count + links.count
        var values = [Float](repeating: 0, count: channels * length)
        var complete = self
        for joint in 0..<count where !isSeen(joint) {
            for frame in 0..<length { complete[frame, joint] = missing[joint] }
        }
        for frame in 0..<length {
            for joint in 0..<count {
                let position = complete[frame, joint]
                values[2 * joint * length + frame] = position.x
                values[(2 * joint + 1) * length + frame] = position.y
            }
            for (index, link) in links.enumerated() {
                let displacement = complete[frame, link.0] - complete[frame, link.1]
                values[(2 * count + index) * length + frame] = (displacement * displacement).sum().squareRoot()
            }
        }
        return SeriesWindow(channels: channels, length: length, values: values)
    }

    /// The mean position of each joint over the windows that saw it; replaces joints that were not seen.
    static func meanPositions(in windows: [MotionWindow], of subject: ActionSubject) -> [SIMD2<Float>] {
        (0..<subject.joints.count).map { joint in
            var (sum, count) = (SIMD2<Double>.zero, 0.0)
            for window in windows where window.isSeen(joint) {
                for frame in 0..<window.length {
                    sum += SIMD2(Double(window[frame, joint].x), Double(window[frame, joint].y))
                    count += 1
                }
            }
            return count > 0 ? SIMD2(Float(sum.x / count), Float(sum.y / count)) : .zero
        }
    }
}
