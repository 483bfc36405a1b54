public import KinemaCore
import KinemaMotion

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
            stride = max(1, series.length / 4)
        }

        /// Classifies a sequence by the mean over its windows; throws `invalidArgument` for another number of features.
        public func applied(
            to input: ShapedArray<Scalar>, eventHandler: EventHandler? = nil
        ) async throws -> ClassificationDistribution<Label> {
            guard input.shape.count == 2, input.shape[1] == series.channels, input.shape[0] > 0 else {
                throw KinemaError.invalid(
                    "the sequence has the shape \(input.shape); this model needs [length, \(series.channels)]")
            }
            return distribution(input.scalars.map { Float($0) })
        }

        private func distribution(_ rows: [Float]) -> ClassificationDistribution<Label> {
            let probabilities = series.probabilities(rows)
            return ClassificationDistribution(
                zip(labels, probabilities).map { Classification(label: $0, probability: Float($1)) })
        }

        /// Classifies the last window of rows after every `stride` rows.
        ///
        /// An input element holds rows of shape `[featureSize]`. An output has the time of its window's last element.
        public func applied<S>(
            to input: S, eventHandler: EventHandler? = nil
        ) async throws -> AnyTemporalSequence<ClassificationDistribution<Label>>
        where S: TemporalSequence, S.Feature == ShapedArray<Scalar> {
            AnyTemporalSequence(
                StepSequence(input, step: SlidingRows(model: self), origin: Self.self, eventHandler: nil), count: nil)
        }

        /// Predicts from a sliding window of rows.
        struct SlidingRows: TemporalStep {
            let model: Model
            var rows: [Float] = []
            var sinceLast = Int.max / 2

            mutating func push(
                _ element: TemporalFeature<ShapedArray<Scalar>>
            ) throws -> TemporalFeature<ClassificationDistribution<Label>>? {
                let (length, width) = (model.series.length, model.series.channels)
                guard element.feature.shape.last == width else {
                    throw KinemaError.invalid(
                        "a row has \(element.feature.shape.last ?? 0) features; this model needs \(width)")
                }
                rows += element.feature.scalars.map { Float($0) }
                sinceLast += element.feature.scalarCount / width
                rows.removeFirst(max(0, rows.count - length * width))
                guard rows.count == length * width, sinceLast >= model.stride else { return nil }
                sinceLast = 0
                return TemporalFeature(id: element.id, feature: model.distribution(rows))
            }

            func outputCount(inputCount: Int) -> Int { inputCount / model.stride }
        }
    }
}
