public import KinemaCore

/// The joints of a body or a hand by their keys.
public class VNRecognizedPointsObservation: VNObservation {
    /// The keys of all joints.
    public let availableKeys: [VNRecognizedPointKey]
    /// The keys of all groups, that of all joints first.
    public let availableGroupKeys: [VNRecognizedPointGroupKey]
    private let points: [VNRecognizedPointKey: VNRecognizedPoint]
    private let groups: [VNRecognizedPointGroupKey: [VNRecognizedPointKey]]
    private let keypoints: () throws -> MLMultiArray
    let pose: Pose

    init<Observation: PoseProviding & VisionObservation>(
        _ observation: Observation, keys: KeyValuePairs<VNRecognizedPointKey, Observation.PoseJointName>,
        groups: KeyValuePairs<VNRecognizedPointGroupKey, Observation.PoseJointsGroupName>,
        keypoints: @escaping () throws -> MLMultiArray
    ) {
        availableKeys = keys.map(\.key)
        availableGroupKeys = [.all] + groups.map(\.key)
        points = keys.reduce(into: [:]) { points, entry in
            points[entry.key] = VNRecognizedPoint(entry.key, observation.joint(for: entry.value))
        }
        self.groups = groups.reduce(into: [.all: availableKeys]) { found, group in
            let names = Observation.jointNames(in: group.value)
            found[group.key] = keys.filter { names.contains($0.value) }.map(\.key)
        }
        (self.keypoints, pose) = (keypoints, observation.pose)
        super.init(observation)
    }

    /// The joint of a key, with confidence 0 if it was not found; throws for a key of something else.
    public func recognizedPoint(forKey key: VNRecognizedPointKey) throws -> VNRecognizedPoint {
        guard let point = points[key] else {
            throw VNError(.invalidArgument, "the observation has no point \(key.rawValue)")
        }
        return point
    }

    /// The joints of a group; throws for a group of something else.
    public func recognizedPoints(
        forGroupKey key: VNRecognizedPointGroupKey
    ) throws -> [VNRecognizedPointKey: VNRecognizedPoint] {
        guard let keys = groups[key] else {
            throw VNError(.invalidArgument, "the observation has no group \(key.rawValue)")
        }
        return points.filter { keys.contains($0.key) }
    }

    /// The joints as a classifier takes them: [1, 3, 18] for a body, [1, 3, 21] for a hand; 0 for a missing joint.
    public func keypointsMultiArray() throws -> MLMultiArray { try keypoints() }
}
