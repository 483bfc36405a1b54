import Foundation
import Kinema
import KinemaTestSupport
import Synchronization
import Testing

@testable import PortingSamples

struct EstimatorTests {
    private static func arm(_ height: Double) -> Pose {
        Pose(from: [
            .leftWrist: JointPoint(.leftWrist, location: CGPoint(x: 0.5, y: 0.5 + height), confidence: 1),
            .leftShoulder: JointPoint(.leftShoulder, location: CGPoint(x: 0.5, y: 0.5), confidence: 1),
        ])
    }

    private let examples = [
        AnnotatedFeature(feature: arm(-0.2), annotation: "down"),
        AnnotatedFeature(feature: arm(-0.18), annotation: "down"),
        AnnotatedFeature(feature: arm(0.2), annotation: "up"),
    ]

    @Test func `transformers and estimators in a row are fitted from the first to the last`() async throws {
        let estimator = makeArmEstimator()
        let events = Mutex<[Event]>([])
        let model = try await estimator.fitted(to: examples, validateOn: examples) { event in
            events.withLock { $0.append(event) }
        }
        #expect(model.outer.inner.factor == 5)
        #expect(try await model.applied(to: Self.arm(0.15)) == "up")
        #expect(try await model(Self.arm(-0.3)) == "down")
        #expect(events.withLock { $0.contains { $0.metrics[.validationAccuracy] as? Double == 1 } })
        let plain = try await estimator.fitted(to: examples)
        #expect(plain.outer.outer == model.outer.outer)
    }

    @Test func `a fitted transformer comes back from a file`() async throws {
        let folder = try TemporaryFolder()
        let estimator = makeArmEstimator()
        let model = try await estimator.fitted(to: examples)
        try estimator.write(model, to: folder.file("arm"))
        #expect(try await estimator.read(from: folder.file("arm")).applied(to: Self.arm(0.15)) == "up")
        #expect(throws: KinemaError.self) {
            try estimator.write(model, to: folder.file("arm"), overwrite: false)
        }
        #expect(throws: KinemaError.self) { _ = try NearestMeanEstimator().read(from: folder.file("none")) }
        #expect(throws: KinemaError.self) {
            try model.export(to: folder.file("m"), metadata: ModelMetadata(author: "me"))
        }
    }

    @Test func `an updatable estimator behind a preprocessor is fitted further`() async throws {
        let estimator: PreprocessingUpdatableEstimator<ArmHeight, ScalingEstimator> = ArmHeight().appending(
            ScalingEstimator())
        var model = estimator.makeTransformer()
        try await estimator.update(&model, with: [Self.arm(0.5)])
        #expect(model.outer.factor == 2)
        try await estimator.update(&model, with: [Self.arm(0.25)])
        #expect(model.outer.factor == 4)

        let folder = try TemporaryFolder()
        try estimator.writeWithOptimizer(model, to: folder.file("scaling"))
        #expect(try estimator.readWithOptimizer(from: folder.file("scaling")).outer.factor == 4)
    }

    @Test func `a transformer may ask for the annotation`() async throws {
        let pipeline = ArmHeight().appending(Caption())
        #expect(try await pipeline.applied(to: examples[2], eventHandler: nil) == "up 0.20")
        let adapted = ArmHeight().adaptedAsAnnotatedFeatureTransformer(annotationType: String.self)
        #expect(try await adapted(examples[0]).annotation == "down")
    }

    @Test func `annotations stay beside what a transformer makes of the features`() async throws {
        let one = AnnotatedFeature(feature: 2.0, annotation: "one")
        let twice = Scaling(factor: 2)
        #expect(try await twice.applied(to: one) == AnnotatedFeature(feature: 4, annotation: "one"))
        #expect(try await twice(one).feature == 4)
        #expect(try await twice([one, one]).map(\.annotation) == ["one", "one"])
        #expect(try await twice.applied(to: [one]) == [AnnotatedFeature(feature: 4, annotation: "one")])
    }

    @Test func `a classifier of time series is fitted and names new ones`() async throws {
        func wave(_ period: Double, _ phase: Int) -> ShapedArray<Float> {
            ShapedArray(
                scalars: (0..<240).map { Float(sin((Double($0 / 2) + Double(phase)) / period)) }, shape: [120, 2])
        }
        var configuration = TimeSeriesClassifierConfiguration()
        configuration.minimumSequenceLength = 40
        let classifier = TimeSeriesClassifier<Float, String>(labels: ["slow", "fast"], configuration: configuration)
        let examples = (0..<6).flatMap { phase in
            [
                AnnotatedFeature(feature: wave(2, phase), annotation: "fast"),
                AnnotatedFeature(feature: wave(7, phase), annotation: "slow"),
            ]
        }
        let model = try await classifier.fitted(to: examples)
        let slow = try await model(wave(7, 40))
        #expect(slow.mostLikelyLabel == "slow" && slow.topLabels(1) == ["slow"] && slow.count == 2)
        #expect(slow.labelsSortedByProbability == ["slow", "fast"] && slow[0].probability > slow[1].probability)
        let folder = try TemporaryFolder()
        try classifier.write(model, to: folder.file("waves"))
        #expect(try await classifier.read(from: folder.file("waves"))(wave(2, 40)).mostLikelyLabel == "fast")
        await #expect(throws: KinemaError.self) {
            _ = try await model(ShapedArray(scalars: [1, 2, 3], shape: [1, 3]))
        }
    }
}

private struct Caption: Transformer {
    func applied(
        to input: AnnotatedFeature<Double, String>, eventHandler: EventHandler? = nil
    ) -> String {
        "\(input.annotation) \(String(format: "%.2f", input.feature))"
    }
}
