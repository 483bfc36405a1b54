import Foundation
public import KinemaCore

/// Chooses one pose among those of a frame.
public struct PoseSelector: Transformer, Hashable, Sendable, Codable {
    /// How the pose is chosen.
    public var strategy: PoseSelectionStrategy
    /// Joints of less confidence (0...1) play no part in the choice.
    public var confidenceThreshold: Float

    /// Chooses the pose with the largest box.
    public init() {
        self.init(strategy: .maximumBoundingBoxArea)
    }

    /// Chooses by a strategy, among joints of at least 0.2 confidence.
    public init(strategy: PoseSelectionStrategy) {
        self.init(strategy: strategy, confidenceThreshold: 0.2)
    }

    /// Chooses by a strategy, among joints of at least the given confidence (0...1).
    public init(strategy: PoseSelectionStrategy, confidenceThreshold: Float) {
        self.strategy = strategy
        self.confidenceThreshold = confidenceThreshold
    }

    /// The chosen pose; a pose without joints when there is none to choose.
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

    /// The chosen pose of each frame; `.mostProminentTrack` remembers from frame to frame whom it chose.
    public func applied<S>(
        to input: S, eventHandler: EventHandler? = nil
    ) async throws -> AnyTemporalSequence<Pose> where S: TemporalSequence, S.Feature == [Pose] {
        AnyTemporalSequence(
            StepSequence(input, step: PoseSelection(self), origin: Self.self, eventHandler: eventHandler))
    }

    /// How well a pose fits the strategy, the greater the better; nil when it does not at all.
    private func score(of pose: Pose) -> CGFloat? {
        if case .person(let id) = strategy { return pose.id == id ? 1 : nil }
        // Most frames show one person or two: the box gives every extreme at once.
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

/// A selector along a stream.
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
