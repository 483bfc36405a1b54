package import Foundation
package import KinemaCore

/// Removes jitter from joints over time, person by person (`Pose.id`), without lag in fast movement.
///
/// Every coordinate passes a One Euro filter whose speed is in body sizes per second, as in MediaPipe's smoothing.
package struct PoseSmoother: Sendable {
    /// The picture's width divided by its height.
    package var aspectRatio: Double
    /// The time out of view after which a person's filters are reset, in seconds.
    package var memory: TimeInterval

    private var people: [Int?: Track] = [:]

    /// Makes a smoother for pictures of the given width / height; people are forgotten after `memory` seconds.
    package init(aspectRatio: Double, memory: TimeInterval = 0.5) {
        precondition(aspectRatio > 0, "the aspect ratio must be positive")
        (self.aspectRatio, self.memory) = (aspectRatio, memory)
    }

    /// Smooths the poses of one frame; `time` is in seconds and increases from frame to frame.
    package mutating func smooth(_ poses: [Pose], at time: TimeInterval) -> [Pose] {
        people = people.filter { time - $0.value.lastSeen <= memory }
        return poses.map { pose in
            var track = people.removeValue(forKey: pose.id) ?? Track()
            // A new shot shows all joints from another angle.
            if track.shot != pose.shot { track = Track(shot: pose.shot) }
            let smooth = track.smooth(pose, at: time, aspectRatio: aspectRatio)
            people[pose.id] = track
            return smooth
        }
    }
}

private struct Track {
    private(set) var shot: Int?
    private(set) var lastSeen: TimeInterval = 0
    private var planar: [JointKey: (x: OneEuroFilter, y: OneEuroFilter)] = [:]
    private var spatial: [JointKey: (x: OneEuroFilter, y: OneEuroFilter, z: OneEuroFilter)] = [:]

    // MediaPipe's constants (pose_landmark_filtering.pbtxt) for landmarks in the picture and in metres.
    private static let planarFilter = OneEuroFilter(minimumCutoff: 0.05, beta: 80, derivativeCutoff: 1)
    private static let spatialFilter = OneEuroFilter(minimumCutoff: 0.1, beta: 40, derivativeCutoff: 1)

    init(shot: Int? = nil) { self.shot = shot }

    mutating func smooth(_ pose: Pose, at time: TimeInterval, aspectRatio: Double) -> Pose {
        lastSeen = time
        var result = pose
        // Scale x by the aspect ratio to picture heights, so that a body keeps its size when it turns sideways.
        if let size = size(of: pose, aspectRatio: aspectRatio) {
            for (key, joint) in pose.keypoints {
                var filters = planar[key] ?? (Self.planarFilter, Self.planarFilter)
                let x = filters.x.filter(joint.location.x, at: time, scale: aspectRatio / size)
                let y = filters.y.filter(joint.location.y, at: time, scale: 1 / size)
                planar[key] = filters
                result.keypoints[key]?.location = CGPoint(x: x, y: y)
            }
        }
        for (key, joint) in pose.keypoints3D {
            var filters = spatial[key] ?? (Self.spatialFilter, Self.spatialFilter, Self.spatialFilter)
            let x = filters.x.filter(Double(joint.position.x), at: time)
            let y = filters.y.filter(Double(joint.position.y), at: time)
            let z = filters.z.filter(Double(joint.position.z), at: time)
            spatial[key] = filters
            result.keypoints3D[key]?.position = SIMD3(Float(x), Float(y), Float(z))
        }
        return result
    }

    /// MediaPipe's object scale in picture heights: the mean side of the box of all joints, enlarged by a quarter.
    private func size(of pose: Pose, aspectRatio: Double) -> Double? {
        guard let box = pose.boundingBox(confidenceThreshold: 0) else { return nil }
        let side = max(box.width * aspectRatio, box.height)
        return side > 0 ? 1.25 * side : nil
    }
}
