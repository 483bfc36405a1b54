package import Foundation
import KinemaCore

/// The release of a bag: person, hand and time.
package struct Release: Sendable, Hashable {
    /// Seconds from the first frame.
    package var time: TimeInterval
    /// The thrower's number.
    package var person: Int?
    /// Whether it was the left hand.
    package var isLeft: Bool
    /// The distance between the bag's path and the hand, in trunk lengths.
    package var distance: Double
}

/// Finds the release: the point where the bag's path, extended backwards, meets a hand.
struct ReleaseFinder {
    let aspectRatio: Double
    let rules: TossRules

    /// The maximum distance of the release from the flight's first sample, in seconds.
    static let maximumLead = 0.6
    static let maximumDelay = 0.07
    /// A path may begin in a hand that it passes within this distance, in trunk lengths.
    static let handReach = 0.5

    /// The release by the hand nearest to the path; nil if nobody is in view.
    func find(first: TimeInterval, poses: PoseHistory, path: (TimeInterval) -> CGPoint) -> Release? {
        let frames = poses.frames.filter { (first - Self.maximumLead...first + Self.maximumDelay).contains($0.time) }
        let candidates = Set(frames.flatMap { $0.poses.map(\.id) }).compactMap { person in
            [false, true].compactMap { candidate(person, $0, frames, path) }.min { $0.distance < $1.distance }
        }
        // If the path passes several hands, the first released the bag.
        return candidates.filter { $0.distance < Self.handReach }.min { $0.time < $1.time }
            ?? candidates.min { $0.distance < $1.distance }
    }

    private func candidate(
        _ person: Int?, _ isLeft: Bool, _ frames: [PoseHistory.Frame], _ path: (TimeInterval) -> CGPoint
    ) -> Release? {
        var distances: [(time: TimeInterval, distance: Double)] = []
        for frame in frames {
            guard let pose = frame.poses.first(where: { $0.id == person }),
                let hand = pose.grip(isLeft: isLeft, threshold: rules.jointConfidence, aspectRatio: aspectRatio),
                let trunk = pose.trunkLength(aspectRatio: aspectRatio)
            else { continue }
            let bag = path(frame.time)
            distances.append((frame.time, hypot((bag.x - hand.x) * aspectRatio, bag.y - hand.y) / trunk))
        }
        guard let least = distances.indices.min(by: { distances[$0].distance < distances[$1].distance }) else {
            return nil
        }
        var time = distances[least].time
        if least > 0, least + 1 < distances.count {
            // Refine between frames: the minimum of the parabola through three distances.
            let (a, b, c) = (distances[least - 1].distance, distances[least].distance, distances[least + 1].distance)
            let bend = a - 2 * b + c
            if bend > 1e-9 {
                time += (distances[least + 1].time - distances[least].time) * min(max((a - c) / (2 * bend), -1), 1)
            }
        }
        return Release(time: time, person: person, isLeft: isLeft, distance: distances[least].distance)
    }
}

extension Pose {
    /// The position of a joint above a confidence threshold: normalised, origin at the lower left.
    func location(of key: JointKey, above threshold: Float) -> CGPoint? {
        guard let joint = keypoints[key], joint.confidence > threshold else { return nil }
        return joint.location
    }

    /// The point at which a hand holds a bag: at the fingers, or a third of a forearm beyond the wrist.
    func grip(isLeft: Bool, threshold: Float, aspectRatio: Double) -> CGPoint? {
        guard let wrist = location(of: isLeft ? .leftWrist : .rightWrist, above: threshold) else { return nil }
        if let index = location(of: isLeft ? .leftIndexFinger : .rightIndexFinger, above: threshold),
            let little = location(of: isLeft ? .leftLittleFinger : .rightLittleFinger, above: threshold)
        {
            return CGPoint(x: (index.x + little.x) / 2, y: (index.y + little.y) / 2)
        }
        guard let elbow = location(of: isLeft ? .leftElbow : .rightElbow, above: threshold) else { return wrist }
        return CGPoint(x: wrist.x + (wrist.x - elbow.x) / 3, y: wrist.y + (wrist.y - elbow.y) / 3)
    }

    /// The distance from the middle of the hips to the middle of the shoulders, in picture heights.
    func trunkLength(aspectRatio: Double) -> Double? {
        guard let shoulders = midpoint(.leftShoulder, .rightShoulder), let hips = midpoint(.leftHip, .rightHip) else {
            return nil
        }
        let length = hypot((shoulders.x - hips.x) * aspectRatio, shoulders.y - hips.y)
        return length > 0.01 ? length : nil
    }

    /// The midpoint of two joints, or the position of the only one known.
    func midpoint(_ one: JointKey, _ other: JointKey) -> CGPoint? {
        switch (keypoints[one]?.location, keypoints[other]?.location) {
        case (let a?, let b?): CGPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
        case (let a?, nil): a
        case (nil, let b?): b
        default: nil
        }
    }
}

/// The track of one flying object, joined from trajectories that continue each other.
struct FlightTrack: Sendable {
    /// The trajectories in the order they began, each with its highest confidence.
    private(set) var tracklets: [TossTrajectory] = []
    private(set) var lastSeen: TimeInterval
    /// Whether the throw was evaluated; later sightings, as of a bag that slides, do not begin another one.
    var isComplete = false
    /// The last sighting after which the landing was judged.
    var judged: TimeInterval?

    init(_ trajectory: TossTrajectory, at time: TimeInterval) {
        lastSeen = time
        add(trajectory, at: time)
    }

    var samples: [TossTrajectory.Sample] { tracklets.flatMap(\.samples).sorted { $0.time < $1.time } }

    /// Adds the samples of a trajectory; their times identify them, so none is added twice.
    mutating func add(_ trajectory: TossTrajectory, at time: TimeInterval) {
        lastSeen = max(lastSeen, time)
        guard let index = tracklets.firstIndex(where: { $0.uuid == trajectory.uuid }) else {
            return tracklets.append(trajectory)
        }
        let (first, last) = (trajectory.samples.first?.time ?? 0, trajectory.samples.last?.time ?? 0)
        tracklets[index].confidence = max(tracklets[index].confidence, trajectory.confidence)
        // The newest version of a sample replaces the old one.
        let kept = tracklets[index].samples.filter { $0.time < first - 1e-6 || $0.time > last + 1e-6 }
        tracklets[index].samples = (kept + trajectory.samples).sorted { $0.time < $1.time }
    }

    var start: TimeInterval { tracklets.compactMap { $0.samples.first?.time }.min() ?? lastSeen }

    var confidence: Float { tracklets.map(\.confidence).max() ?? 0 }

    func contains(_ uuid: UUID) -> Bool { tracklets.contains { $0.uuid == uuid } }
}

/// An object on a parabolic path, as observed so far.
package struct TossTrajectory: Sendable, Hashable {
    /// A position (normalised, origin at the lower left) and its time in seconds from the first frame.
    package struct Sample: Sendable, Hashable {
        package var time: TimeInterval
        package var point: CGPoint
    }

    /// Stays the same for the life of the trajectory.
    var uuid: UUID
    var samples: [Sample]
    var confidence: Float
}
