@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

/// Real inference on rendered people; one test after the other, since each takes every core.
@Suite(.serialized) enum RenderedPeople {
    /// The joints that are compared: those whose place on a body everyone agrees on.
    static let limbs: [JointKey] = [
        .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip,
        .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]

    /// The poses in frames of a scene, from its first.
    static func poses(
        in scene: SynthScene, frames: Int? = nil, source: String = "rendered",
        with extractor: HumanBodyPoseExtractor = HumanBodyPoseExtractor()
    ) throws -> [[Pose]] {
        try (0..<min(frames ?? .max, scene.frameCount)).map {
            try extractor.poses(in: scene.videoFrame($0, source: source))
        }
    }

    /// How far a found joint is from the true one, in pixels.
    static func distance(_ key: JointKey, _ pose: Pose, _ truth: Truth.Frame, _ size: (width: Int, height: Int))
        -> Double?
    {
        guard let found = pose.keypoints[key]?.location, let real = truth.keypoints[key.rawValue] else { return nil }
        return hypot((found.x - real.x) * Double(size.width), (found.y - real.y) * Double(size.height))
    }

    /// The person's extent in pixels: the larger of width and height of all true joints' box.
    static func bodySize(_ truth: Truth.Frame, _ size: (width: Int, height: Int)) -> Double {
        let (xs, ys) = (truth.keypoints.values.map(\.x), truth.keypoints.values.map(\.y))
        func extent(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }
        return max(extent(xs) * Double(size.width), extent(ys) * Double(size.height))
    }

    /// The value below which a share of the values lies.
    static func quantile(_ share: Double, of values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .infinity : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
}
