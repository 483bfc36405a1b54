package import Foundation
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

/// Blanks unwanted joints: they stay in the pose with location (0, 0) and confidence 0.
public struct JointsSelector: Transformer, Hashable, Sendable, Codable {
    private enum Choice: Hashable, Sendable, Codable {
        case ignored(Set<JointKey>)
        case selected(Set<JointKey>)
    }

    private let choice: Choice

    /// Blanks the given joints.
    public init(ignoredJoints: [JointKey]) { choice = .ignored(Set(ignoredJoints)) }

    /// Blanks all joints except the given ones.
    public init(selectedJoints: [JointKey]) { choice = .selected(Set(selectedJoints)) }

    /// The pose with location and confidence of the blanked joints set to zero.
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

/// Tracks the most prominent person for as long as they stay in view, without jumping between neighbours.
package struct ProminentPersonSelector: Sendable {
    /// The factor of size by which another person replaces the selected one.
    private static let sizeAdvantage: Float = 2
    /// The seconds for which another person must be larger, or the selected one out of view, before a change.
    private static let switchDelay: TimeInterval = 1

    /// The number of the selected person; nil before anyone was seen.
    package private(set) var id: Int?
    private var challengedSince: TimeInterval?
    /// The shot in which the selected person was last in view.
    private var shot: Int?

    /// Joints below this confidence (0...1) do not count towards a person's size.
    private let confidenceThreshold: Float

    /// Makes a selector without a selection; joints below the confidence (0...1) are ignored.
    package init(confidenceThreshold: Float = 0.2) { self.confidenceThreshold = confidenceThreshold }

    /// The pose of the selected person; nil if that person is not in view.
    ///
    /// - Parameters:
    ///   - poses: Everyone in the frame.
    ///   - time: The frame's time, seconds.
    ///   - holds: Whether the selected person stays selected while in view, however near others come.
    package mutating func select(_ poses: [Pose], at time: TimeInterval, holds: Bool = false) -> Pose? {
        let selected = poses.first { $0.id == id && id != nil }
        if let selected { shot = selected.shot }
        guard let largest = poses.max(by: { area(of: $0) < area(of: $1) }) else {
            return nil
        }
        let staysLargest = selected.map { holds || area(of: largest) < Self.sizeAdvantage * area(of: $0) } ?? false
        if staysLargest {
            challengedSince = nil
            return selected
        }
        let since = challengedSince ?? time
        challengedSince = since
        // Who is not in view after a cut is not waited for.
        let isNewShot = selected == nil && shot != nil && largest.shot != shot
        if id == nil || isNewShot || time - since >= Self.switchDelay {
            (id, shot) = (largest.id, largest.shot)
            challengedSince = nil
            return largest
        }
        return selected
    }

    private func area(of pose: Pose) -> Float {
        pose.boundingBoxArea(confidenceThreshold: confidenceThreshold)
    }
}
