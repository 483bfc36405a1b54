import Foundation
import Kinema

/// A transformer with a state-free rule.
struct WristHeight: Transformer {
    var key: JointKey = .leftWrist

    func applied(to input: Pose, eventHandler: EventHandler?) async throws -> Double? {
        guard let joint = input.keypoints[key], joint.confidence > 0.1 else { return nil }
        return Double(joint.location.y)
    }
}

/// A synchronous one with explicit types.
struct Mirror: Transformer {
    typealias Input = [Pose]
    typealias Output = [Pose]

    func applied(to input: [Pose], eventHandler: EventHandler? = nil) -> [Pose] {
        input.map { pose in
            Pose(
                from: pose.keypoints.mapValues { joint in
                    JointPoint(
                        joint.key, location: CGPoint(x: 1 - joint.location.x, y: joint.location.y),
                        confidence: joint.confidence)
                })
        }
    }
}

/// A temporal transformer of the user's own: the difference of each element to the one before.
struct Differences: TemporalTransformer {
    typealias Input = Float
    typealias Output = Float

    func applied<S>(to input: S, eventHandler: EventHandler? = nil) async throws -> AnyTemporalSequence<Float>
    where S: TemporalSequence, S.Feature == Float {
        AnyTemporalSequence(DifferenceSequence(base: input))
    }
}

struct DifferenceSequence<Base: TemporalSequence>: TemporalSequence where Base.Feature == Float {
    typealias Feature = Float
    typealias Element = TemporalFeature<Float>

    let base: Base
    var count: Int? { base.count }

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var last: Float = 0

        mutating func next() async throws -> TemporalFeature<Float>? {
            guard let element = try await base.next() else { return nil }
            defer { last = element.feature }
            return TemporalFeature(id: element.id, feature: element.feature - last)
        }
    }
}

/// A temporal transformer that hands out an `AsyncStream`.
struct Every<Feature: Sendable>: TemporalTransformer {
    typealias Input = Feature
    typealias Output = Feature

    let seconds: TimeInterval

    func applied<S: TemporalSequence>(
        to input: S, eventHandler: EventHandler?
    ) async throws -> AnyTemporalSequence<Feature> where S.Feature == Feature {
        var kept: [TemporalFeature<Feature>] = []
        var due = -TimeInterval.infinity
        for try await element in input where element.id.rangeInSeconds.lowerBound >= due {
            kept.append(element)
            due = element.id.rangeInSeconds.lowerBound + seconds
            eventHandler?(Event(origin: "Every", itemCount: kept.count, metrics: [.source: element.id.source]))
        }
        let elements = kept
        let stream = AsyncStream<TemporalFeature<Feature>> { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
        return AnyTemporalSequence(stream, count: elements.count)
    }
}
