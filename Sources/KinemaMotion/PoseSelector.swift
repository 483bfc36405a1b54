public import Foundation
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

/// How to choose one pose among several.
public enum PoseSelectionStrategy: Hashable, Sendable, Codable {
    /// The pose with the largest box around its joints.
    case maximumBoundingBoxArea
    /// The pose that owns the highest joint in the picture.
    case highestJointLocation
    /// The pose that owns the lowest joint in the picture.
    case lowestJointLocation
    /// The pose that owns the leftmost joint in the picture.
    case leftmostJointLocation
    /// The pose that owns the rightmost joint in the picture.
    case rightmostJointLocation
    /// The pose of one tracked person, by `Pose.id`; no pose while that person is out of view.
    case person(Int)
    /// The most prominent person for as long as that person is in view, instead of whoever is largest in each frame.
    ///
    /// Only over a stream: applied to the poses of a single frame it is `maximumBoundingBoxArea`.
    case mostProminentTrack
}

/// Stays with one person: the most prominent one, as long as that person is in view.
///
/// Unlike choosing the largest box in every frame, it does not hop between people who stand side by side.
public struct ProminentPersonSelector: Sendable {
    /// Somebody else must be this many times larger ...
    private static let advantage: Float = 2
    /// ... for this long, or the chosen person out of view for this long, before the choice changes; seconds.
    private static let patience: TimeInterval = 1

    /// The number of the person chosen now; nil before anyone was seen.
    public private(set) var id: Int?
    private var doubtSince: TimeInterval?

    /// Joints of less confidence (0...1) play no part in how large a person is.
    private let confidenceThreshold: Float

    /// Makes a selector that has chosen nobody yet; joints of less confidence (0...1) are overlooked.
    public init(confidenceThreshold: Float = 0.2) {
        self.confidenceThreshold = confidenceThreshold
    }

    /// The chosen person's pose; nil when that person is not in view.
    public mutating func select(_ poses: [Pose], at time: TimeInterval) -> Pose? {
        let chosen = poses.first { $0.id == id && id != nil }
        guard let largest = poses.max(by: { area(of: $0) < area(of: $1) }) else {
            return nil
        }
        let isContent = chosen.map { area(of: largest) < Self.advantage * area(of: $0) } ?? false
        if isContent {
            doubtSince = nil
            return chosen
        }
        let since = doubtSince ?? time
        doubtSince = since
        if id == nil || time - since >= Self.patience {
            id = largest.id
            doubtSince = nil
            return largest
        }
        return chosen
    }

    private func area(of pose: Pose) -> Float {
        pose.boundingBoxArea(confidenceThreshold: confidenceThreshold)
    }
}

/// Blanks the joints that should play no part: they stay in the pose with location (0, 0) and confidence 0.
public struct JointsSelector: Transformer, Hashable, Sendable, Codable {
    private enum Choice: Hashable, Sendable, Codable {
        case ignored(Set<JointKey>)
        case selected(Set<JointKey>)
    }

    private let choice: Choice

    /// Blanks the given joints.
    public init(ignoredJoints: [JointKey]) {
        choice = .ignored(Set(ignoredJoints))
    }

    /// Blanks all joints but the given ones.
    public init(selectedJoints: [JointKey]) {
        choice = .selected(Set(selectedJoints))
    }

    /// The pose with every field of the ignored joints zero.
    public func applied(to input: Pose, eventHandler: EventHandler? = nil) -> Pose {
        var pose = input
        for key in input.keypoints.keys where isIgnored(key) {
            pose.keypoints[key] = JointPoint(key, location: .zero, confidence: 0)
        }
        for key in input.keypoints3D.keys where isIgnored(key) {
            pose.keypoints3D[key] = JointPoint3D(key, position: .zero, confidence: 0)
        }
        return pose
    }

    private func isIgnored(_ key: JointKey) -> Bool {
        switch choice {
        case .ignored(let keys): keys.contains(key)
        case .selected(let keys): !keys.contains(key)
        }
    }
}
