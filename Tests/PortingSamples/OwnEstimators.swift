import Foundation
import Kinema

/// Scales a number by what the examples' spread was.
struct Scaling: Transformer, Codable {
    var factor: Double

    func applied(to input: Double, eventHandler: EventHandler? = nil) -> Double { input * factor }
}

/// Fits the scaling; unsupervised.
struct ScalingEstimator: UpdatableEstimator {
    typealias Transformer = Scaling

    func fitted<S: Sequence>(to input: S, eventHandler: EventHandler? = nil) async throws -> Scaling
    where S.Element == Double {
        var transformer = makeTransformer()
        try await update(&transformer, with: input, eventHandler: eventHandler)
        return transformer
    }

    func makeTransformer() -> Scaling { Scaling(factor: 1) }

    func update<S: Sequence>(
        _ transformer: inout Scaling, with input: S, eventHandler: EventHandler? = nil
    ) async throws where S.Element == Double {
        let largest = input.map(abs).max() ?? 1
        transformer.factor = 1 / largest
        eventHandler?(
            Event(origin: "ScalingEstimator", itemCount: 1, metrics: [.trainingMaximumError: largest]))
    }
}

/// Names the nearest of the labelled means.
struct NearestMean: Transformer, Codable, Equatable, Sendable {
    var means: [String: Double] = [:]

    func applied(to input: Double, eventHandler: EventHandler? = nil) async throws -> String {
        means.min { abs($0.value - input) < abs($1.value - input) }?.key ?? "unknown"
    }
}

/// Fits the means; supervised, with validation.
struct NearestMeanEstimator: SupervisedEstimator {
    typealias Transformer = NearestMean
    typealias Annotation = String

    func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler?
    ) async throws -> NearestMean
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Double, String>,
        Validation: Sequence, Validation.Element == AnnotatedFeature<Double, String>
    {
        let groups = Dictionary(grouping: input, by: \.annotation)
        let model = NearestMean(means: groups.mapValues { $0.map(\.feature).reduce(0, +) / Double($0.count) })
        var right = 0
        var total = 0
        for example in validation {
            total += 1
            if try await model(example.feature) == example.annotation { right += 1 }
        }
        let accuracy = total == 0 ? 1 : Double(right) / Double(total)
        eventHandler?(
            Event(origin: "NearestMean", itemCount: 1, totalItemCount: 1, metrics: [.validationAccuracy: accuracy]))
        return model
    }
}

/// The height of a wrist, scaled, named: transformers and estimators in a row.
func makeArmEstimator() -> some SupervisedEstimator<
    ComposedTransformer<ArmHeight, ComposedTransformer<Scaling, NearestMean>>, String
> {
    ArmHeight().appending(ScalingEstimator().appending(NearestMeanEstimator()))
}

struct ArmHeight: Transformer, Codable {
    func applied(to input: Pose, eventHandler: EventHandler? = nil) async throws -> Double {
        Double((input.keypoints[.leftWrist]?.location.y ?? 0) - (input.keypoints[.leftShoulder]?.location.y ?? 0))
    }
}
