import Foundation
public import KinemaCore

/// Selects one pose from those of a frame.
public struct PoseSelector: Transformer, Hashable, Sendable, Codable {
    /// The selection strategy.
    public var strategy: PoseSelectionStrategy
    /// Joints below this confidence (0...1) are ignored.
    public var confidenceThreshold: Float

    /// Selects by a strategy, by default the largest bounding box, and ignores joints below a confidence (0...1).
    public init(strategy: PoseSelectionStrategy = .maximumBoundingBoxArea, confidenceThreshold: Float = 0.2) {
        (self.strategy, self.confidenceThreshold) = (strategy, confidenceThreshold)
    }

    /// The selected pose; a pose without joints if there is none.
    public func applied(to input: [Pose], eventHandler: EventHandler? = nil) -> Pose {
        var best: (score: CGFloat, pose: Pose)?
        for pose in input {
            guard let score = score(of: pose) else { continue }
            if score > best?.score ?? -.infinity { best = (score, pose) }
        }
        if let best { return best.pose }
        if case .person = strategy { return Pose(from: [:]) }
        return input.first ?? Pose(from: [:])
    }

    /// The selected pose of each frame; `.mostProminentTrack` stays with one person from frame to frame.
    public func applied<S>(
        to input: S, eventHandler: EventHandler? = nil
    ) async throws -> AnyTemporalSequence<Pose> where S: TemporalSequence, S.Feature == [Pose] {
        AnyTemporalSequence(
            StepSequence(input, step: PoseSelection(self), origin: Self.self, eventHandler: eventHandler))
    }

    /// The score of a pose under the strategy, higher is better; nil if it does not qualify.
    private func score(of pose: Pose) -> CGFloat? {
        if case .person(let id) = strategy { return pose.id == id ? 1 : nil }
        guard let box = pose.boundingBox(confidenceThreshold: confidenceThreshold) else { return nil }
        return switch strategy {
        case .maximumBoundingBoxArea, .mostProminentTrack, .person: box.width * box.height
        case .highestJointLocation: box.maxY
        case .lowestJointLocation: -box.minY
        case .leftmostJointLocation: -box.minX
        case .rightmostJointLocation: box.maxX
        }
    }
}

struct PoseSelection: TemporalStep {
    private let selector: PoseSelector
    private var prominent: ProminentPersonSelector

    init(_ selector: PoseSelector) {
        self.selector = selector
        prominent = ProminentPersonSelector(confidenceThreshold: selector.confidenceThreshold)
    }

    mutating func push(_ element: TemporalFeature<[Pose]>) -> TemporalFeature<Pose>? {
        var pose: Pose?
        if selector.strategy == .mostProminentTrack {
            pose = prominent.select(element.feature, at: element.id.rangeInSeconds.lowerBound) ?? Pose(from: [:])
        }
        return TemporalFeature(id: element.id, feature: pose ?? selector.applied(to: element.feature))
    }

    func outputCount(inputCount: Int) -> Int { inputCount }
}

/// The strategies for selecting one pose from several.
public enum PoseSelectionStrategy: Hashable, Sendable, Codable {
    /// The pose with the largest bounding box.
    case maximumBoundingBoxArea
    /// The pose with the highest, lowest, leftmost or rightmost joint in the frame.
    case highestJointLocation, lowestJointLocation, leftmostJointLocation, rightmostJointLocation
    /// The pose of one tracked person by `Pose.id`; none while that person is out of view.
    case person(Int)
    /// The most prominent person for as long as they stay in view; for a single frame, the same as
    /// `maximumBoundingBoxArea`.
    case mostProminentTrack
}
