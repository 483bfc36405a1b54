public import KinemaCore

/// A classifier of windows of arbitrary time series.
struct SeriesModel: Sendable, Codable {
    /// The offset subtracted from each channel, and the factor it is then multiplied by.
    var centre: [Float]
    var factor: [Float]
    var bank: FeatureBank
    var ridge: RidgeClassifier
    var calibration: Calibration

    /// The probabilities of all classes for a sequence of rows.
    func probabilities(_ rows: [Float]) -> [Float] {
        let windows = SeriesTraining.windows(rows, width: bank.channels, length: bank.length)
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

/// Trains a classifier of windows of arbitrary time series.
struct SeriesTraining {
    /// A sequence and its class.
    struct Example {
        /// The values, row after row.
        var rows: [Float]
        var width: Int
        var label: Int
    }

    /// The number of rows in a window.
    let length: Int
    /// The maximum number of rows of a sequence to train on; nil for all.
    let maximumRows: Int?
    let seed: Int

    /// Half-overlapping windows, channel by channel; a sequence that is too short plays forwards and backwards.
    static func windows(_ rows: [Float], width: Int, length: Int) -> [SeriesWindow] {
        let count = rows.count / width
        guard count > 0 else { return [] }
        return SlidingWindow(length: length, step: max(1, length / 2)).starts(in: count).map { start in
            var values = [Float](repeating: 0, count: width * length)
            for frame in 0..<length {
                let row = MotionWindow.reflect(start + frame, in: count)
                for channel in 0..<width { values[channel * length + frame] = rows[row * width + channel] }
            }
            return SeriesWindow(channels: width, length: length, values: values)
        }
    }

    /// Trains a model; nil if the fit has no solution.
    func fit(_ examples: [Example], classes: Int) -> SeriesModel? {
        guard let width = examples.first?.width else { return nil }
        var (windows, labels, groups): ([SeriesWindow], [Int], [Int]) = ([], [], [])
        for (index, example) in examples.enumerated() {
            let rows = maximumRows.map { Array(example.rows.prefix($0 * width)) } ?? example.rows
            for window in Self.windows(rows, width: width, length: length) {
                windows.append(window)
                labels.append(example.label)
                groups.append(index)
            }
        }
        var model = SeriesModel(
            centre: [], factor: [],
            bank: FeatureBank(units: ActionTraining().units, channels: width, length: length, seed: seed),
            ridge: RidgeClassifier(centre: [], factor: [], weights: [], bias: []), calibration: .standard)
        (model.centre, model.factor) = Self.scale(windows, width: width)
        let scaled = windows.map(model.scaled)
        model.bank.fitBiases(scaled, seed: seed)
        guard
            let fit = RidgeTraining().fit(
                model.bank.features(of: scaled), labels: labels, groups: groups, classes: classes)
        else { return nil }
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

extension TimeSeriesClassifier {
    /// A fitted classifier of sequences.
    public struct Model: KinemaCore.Transformer, Sendable, Codable {
        /// A sequence of shape `[sequenceLength, featureSize]`.
        public typealias Input = ShapedArray<Scalar>
        /// The probabilities of all classes.
        public typealias Output = ClassificationDistribution<Label>

        /// The number of rows from one prediction to the next in a temporal sequence; a quarter of a window by default.
        public var stride: Int

        let labels: [Label]
        let series: SeriesModel

        init(labels: [Label], series: SeriesModel) {
            self.labels = labels
            self.series = series
            stride = max(1, series.bank.length / 4)
        }

        /// Classifies a sequence by the mean over all its windows.
        ///
        /// Throws `invalidArgument` if the number of features differs from the training data.
        public func applied(
            to input: ShapedArray<Scalar>, eventHandler: EventHandler? = nil
        ) async throws -> ClassificationDistribution<Label> {
            guard input.shape.count == 2, input.shape[1] == series.bank.channels, input.shape[0] > 0 else {
                throw KinemaError(
                    .invalidArgument,
                    "the sequence has the shape \(input.shape); this model needs [length, \(series.bank.channels)]")
            }
            return distribution(input.scalars.map { Float($0) })
        }

        private func distribution(_ rows: [Float]) -> ClassificationDistribution<Label> {
            let probabilities = series.probabilities(rows)
            return ClassificationDistribution(
                zip(labels, probabilities).map { Classification(label: $0, probability: Double($1)) })
        }

        /// Classifies the last window of rows after every `stride` rows.
        ///
        /// Each input element holds one row, of shape `[featureSize]`, or several rows. An output has the time of the
        /// element that completed its window.
        public func applied<S>(
            to input: S, eventHandler: EventHandler? = nil
        ) async throws -> AnyTemporalSequence<ClassificationDistribution<Label>>
        where S: TemporalSequence, S.Feature == ShapedArray<Scalar> {
            AnyTemporalSequence(WindowedPredictions(base: input, model: self), count: nil)
        }

        /// Predictions over a sliding window of rows.
        struct WindowedPredictions<Base: TemporalSequence>: AsyncSequence where Base.Feature == ShapedArray<Scalar> {
            typealias Element = TemporalFeature<ClassificationDistribution<Label>>

            let base: Base
            let model: Model

            func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), model: model) }

            struct Iterator: AsyncIteratorProtocol {
                var base: Base.AsyncIterator
                let model: Model
                var rows: [Float] = []
                var sinceLast = Int.max / 2

                mutating func next() async throws -> Element? {
                    let (length, width) = (model.series.bank.length, model.series.bank.channels)
                    while let element = try await base.next() {
                        guard element.feature.shape.last == width else {
                            throw KinemaError(
                                .invalidArgument,
                                "a row has \(element.feature.shape.last ?? 0) features; this model needs \(width)")
                        }
                        rows += element.feature.scalars.map { Float($0) }
                        sinceLast += element.feature.scalarCount / width
                        rows.removeFirst(Swift.max(0, rows.count - length * width))
                        guard rows.count == length * width, sinceLast >= model.stride else { continue }
                        sinceLast = 0
                        return TemporalFeature(id: element.id, feature: model.distribution(rows))
                    }
                    return nil
                }
            }
        }
    }
}
