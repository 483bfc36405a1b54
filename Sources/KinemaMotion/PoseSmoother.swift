public import Foundation
public import KinemaCore

/// Takes the jitter out of joints over time, person by person, without making fast movement lag.
///
/// Every coordinate passes a One Euro filter whose speed is measured in body sizes a second, as MediaPipe's smoothing
/// does, so that near and far people are treated alike. People are told apart by `Pose.id`.
public struct PoseSmoother: Sendable {
    /// Width divided by height of the picture: normalised coordinates do not tell.
    public var aspectRatio: Double
    /// After so many seconds out of view a person's past is forgotten.
    public var memory: TimeInterval

    private var people: [Int?: Track] = [:]

    /// Smooths poses of pictures of the given width divided by height; forgets people after `memory` seconds.
    public init(aspectRatio: Double, memory: TimeInterval = 0.5) {
        precondition(aspectRatio > 0, "a picture has a width and a height")
        self.aspectRatio = aspectRatio
        self.memory = memory
    }

    /// The poses of one frame, smoothed; `time` in seconds follows that of the frame before.
    public mutating func smooth(_ poses: [Pose], at time: TimeInterval) -> [Pose] {
        people = people.filter { time - $0.value.lastSeen <= memory }
        return poses.map { pose in
            var track = people.removeValue(forKey: pose.id) ?? Track()
            // From another side all joints are elsewhere.
            if track.shot != pose.shot { track = Track(shot: pose.shot) }
            let smooth = track.smooth(pose, at: time, aspectRatio: aspectRatio)
            people[pose.id] = track
            return smooth
        }
    }

    /// Forgets everyone, as after a cut.
    public mutating func reset() {
        people = [:]
    }
}

/// The filters of one person.
private struct Track {
    private(set) var shot: Int?
    private(set) var lastSeen: TimeInterval = 0
    private var planar: [JointKey: (x: OneEuroFilter, y: OneEuroFilter)] = [:]
    private var spatial: [JointKey: (x: OneEuroFilter, y: OneEuroFilter, z: OneEuroFilter)] = [:]

    // MediaPipe's constants (pose_landmark_filtering.pbtxt): landmarks in the picture, then in metres.
    private static let planarFilter = OneEuroFilter(minimumCutoff: 0.05, beta: 80, derivativeCutoff: 1)
    private static let spatialFilter = OneEuroFilter(minimumCutoff: 0.1, beta: 40, derivativeCutoff: 1)

    init(shot: Int? = nil) { self.shot = shot }

    mutating func smooth(_ pose: Pose, at time: TimeInterval, aspectRatio: Double) -> Pose {
        lastSeen = time
        var result = pose
        // Heights are the unit: x is stretched by the aspect ratio, so that a body turned sideways keeps its size.
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

    /// MediaPipe's measure: the mean of width and height of the square region around the body, here the box of all
    /// joints, a quarter larger as its region is. In heights of the picture.
    private func size(of pose: Pose, aspectRatio: Double) -> Double? {
        guard let box = pose.boundingBox(confidenceThreshold: 0) else { return nil }
        let side = max(box.width * aspectRatio, box.height)
        return side > 0 ? 1.25 * side : nil
    }
}
