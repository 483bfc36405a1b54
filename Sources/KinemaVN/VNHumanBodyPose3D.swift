import KinemaVision
import Foundation
public import KinemaCore
import KinemaMedia

/// A point in space; its matrix only moves, it does not turn.
public class VNPoint3D {
    /// The position in metres.
    public let position: simd_float4x4

    /// Makes a point from its position in metres.
    public init(position: simd_float4x4) { self.position = position }
}

/// A named point in space.
public class VNRecognizedPoint3D: VNPoint3D {
    /// The point's key.
    public let identifier: VNRecognizedPointKey

    fileprivate init(position: simd_float4x4, identifier: VNRecognizedPointKey) {
        self.identifier = identifier
        super.init(position: position)
    }
}

/// A joint of a body in space: metres from the root, x to the image's right, y up, z towards the camera.
public final class VNHumanBodyRecognizedPoint3D: VNRecognizedPoint3D {
    /// The position in metres from the parent joint.
    public let localPosition: simd_float4x4
    /// The next joint towards the root; the root is its own parent.
    public let parentJoint: VNHumanBodyPose3DObservation.JointName

    fileprivate init(_ joint: Joint3D, name: VNHumanBodyPose3DObservation.JointName) {
        localPosition = joint.localPosition
        parentJoint = VNHumanBodyPose3DObservation.JointName(named: joint.parentJoint) ?? name
        super.init(position: joint.position, identifier: name.rawValue)
    }
}

/// One person's body in space.
public final class VNHumanBodyPose3DObservation: VNObservation {
    /// The name of a joint; the raw values are Vision's.
    public struct JointName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The key of the joint.
        public let rawValue: VNRecognizedPointKey

        /// The name as Vision prints it, which logged data is read by.
        public var description: String { "VNHumanBodyPose3DObservationJointName(_rawValue: \(rawValue.rawValue))" }

        /// Makes a name from a key.
        public init(rawValue: VNRecognizedPointKey) { self.rawValue = rawValue }

        private init(_ text: String) { rawValue = VNRecognizedPointKey(rawValue: text) }

        /// The 17 joints.
        public static let topHead = Self("human_top_head_3D"), centerHead = Self("human_center_head_3D"),
            centerShoulder = Self("human_center_shoulder_3D"), spine = Self("human_spine_3D"),
            root = Self("human_root_3D"), leftShoulder = Self("human_left_shoulder_3D"),
            leftElbow = Self("human_left_elbow_3D"), leftWrist = Self("human_left_wrist_3D"),
            leftHip = Self("human_left_hip_3D"), leftKnee = Self("human_left_knee_3D"),
            leftAnkle = Self("human_left_ankle_3D"), rightShoulder = Self("human_right_shoulder_3D"),
            rightElbow = Self("human_right_elbow_3D"), rightWrist = Self("human_right_wrist_3D"),
            rightHip = Self("human_right_hip_3D"), rightKnee = Self("human_right_knee_3D"),
            rightAnkle = Self("human_right_ankle_3D")

        fileprivate static let all: KeyValuePairs<Self, HumanBodyPose3DObservation.JointName> = [
            .topHead: .topHead, .centerHead: .centerHead, .centerShoulder: .centerShoulder, .spine: .spine,
            .root: .root, .leftShoulder: .leftShoulder, .leftElbow: .leftElbow, .leftWrist: .leftWrist,
            .leftHip: .leftHip, .leftKnee: .leftKnee, .leftAnkle: .leftAnkle, .rightShoulder: .rightShoulder,
            .rightElbow: .rightElbow, .rightWrist: .rightWrist, .rightHip: .rightHip, .rightKnee: .rightKnee,
            .rightAnkle: .rightAnkle,
        ]

        fileprivate init?(named name: String) {
            guard let entry = Self.all.first(where: { $0.value.rawValue == name }) else { return nil }
            self = entry.key
        }
    }

    /// The name of a group of joints; groups overlap.
    public enum JointsGroupName: Hashable, Sendable, CaseIterable {
        /// All joints, and the groups of `HumanBodyPose3DObservation`.
        case all, head, torso, leftArm, rightArm, leftLeg, rightLeg

        /// The group of the same name; nil for all joints.
        fileprivate var group: HumanBodyPose3DObservation.JointsGroupName? { .init(rawValue: "\(self)") }
    }

    /// Where a body's height comes from.
    public enum HeightEstimation: Int, Sendable {
        /// From the bodies that the landmark model has learned.
        case reference
        /// From measured depth, which no input has here.
        case measured
    }

    fileprivate let observation: HumanBodyPose3DObservation

    init(_ observation: HumanBodyPose3DObservation) {
        self.observation = observation
        super.init(observation)
    }

    /// The height of the standing body in metres.
    public var bodyHeight: Float { Float(observation.bodyHeight.value) }
    /// Where the height comes from: always `.reference`.
    public var heightEstimation: HeightEstimation { .reference }
    /// The camera's place seen from the root, in metres.
    public var cameraOriginMatrix: simd_float4x4 { observation.cameraOriginMatrix }
    /// The names of all joints.
    public var availableJointNames: [JointName] { JointName.all.map(\.key) }
    /// The names of all groups.
    public var availableJointsGroupNames: [JointsGroupName] { JointsGroupName.allCases }

    /// A joint; throws for a name of something else.
    public func recognizedPoint(_ jointName: JointName) throws -> VNHumanBodyRecognizedPoint3D {
        guard let joint = observation.joint(for: try name(of: jointName)) else { throw unknown(jointName) }
        return VNHumanBodyRecognizedPoint3D(joint, name: jointName)
    }

    /// The joints of a group.
    public func recognizedPoints(
        _ jointsGroupName: JointsGroupName
    ) throws -> [JointName: VNHumanBodyRecognizedPoint3D] {
        observation.allJoints(in: jointsGroupName.group).reduce(into: [:]) { points, joint in
            guard let name = JointName(named: joint.key.rawValue) else { return }
            points[name] = VNHumanBodyRecognizedPoint3D(joint.value, name: name)
        }
    }

    /// The next joint towards the root; nil for the root.
    public func parentJointName(_ jointName: JointName) -> JointName? {
        guard jointName != .root, let name = try? name(of: jointName) else { return nil }
        return JointName(named: observation.parentJointName(for: name).rawValue)
    }

    /// A joint's position in metres from the camera, which looks along negative z; throws for an unknown name.
    public func cameraRelativePosition(_ jointName: JointName) throws -> simd_float4x4 {
        observation.cameraRelativePosition(for: try name(of: jointName))
    }

    /// Where the image shows a joint, normalised, origin at the lower left; throws for an unknown name.
    public func pointInImage(_ jointName: JointName) throws -> VNPoint {
        VNPoint(location: observation.pointInImage(for: try name(of: jointName)).cgPoint)
    }

    private func name(of jointName: JointName) throws -> HumanBodyPose3DObservation.JointName {
        guard let entry = JointName.all.first(where: { $0.key == jointName }) else { throw unknown(jointName) }
        return entry.value
    }

    private func unknown(_ jointName: JointName) -> VNError {
        VNError(.invalidArgument, "the observation has no joint \(jointName.rawValue.rawValue)")
    }
}

extension HumanBodyPose3DObservation {
    /// The observation in Vision's Swift API.
    public init(_ observation: VNHumanBodyPose3DObservation) { self = observation.observation }
}

/// Detects the joints of the most prominent person in space.
public final class VNDetectHumanBodyPose3DRequest: VNStatefulRequest {
    /// Creates a request that analyses every frame.
    public init(completionHandler: VNRequestCompletionHandler? = nil) {
        super.init(frameAnalysisSpacing: .zero, completionHandler: completionHandler)
    }

    /// The person of the last performance, or nobody.
    public var results: [VNHumanBodyPose3DObservation]? { observations as? [VNHumanBodyPose3DObservation] }

    /// The joints that can be found.
    public var supportedJointNames: [VNHumanBodyPose3DObservation.JointName] {
        get throws { VNHumanBodyPose3DObservation.JointName.all.map(\.key) }
    }

    /// The groups of joints that can be found.
    public var supportedJointsGroupNames: [VNHumanBodyPose3DObservation.JointsGroupName] {
        get throws { VNHumanBodyPose3DObservation.JointsGroupName.allCases }
    }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        let request = DetectHumanBodyPose3DRequest()
        request.regionOfInterest = try region()
        return try request.bodies(in: frame).map(VNHumanBodyPose3DObservation.init)
    }
}
