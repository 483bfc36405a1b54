public import Foundation

/// One person's body in one image, with Vision's names.
public struct HumanBodyPoseObservation: VisionObservation, PoseProviding {
    /// Vision's 19 joints of the body.
    public enum JointName: String, CaseIterable, Codable, Hashable, Sendable {
        /// Joints of the face.
        case nose, leftEye, rightEye, leftEar, rightEar
        /// Joints of the trunk.
        case neck, leftShoulder, rightShoulder, root, leftHip, rightHip
        /// Joints of the arms.
        case leftElbow, rightElbow, leftWrist, rightWrist
        /// Joints of the legs.
        case leftKnee, rightKnee, leftAnkle, rightAnkle
    }

    /// Groups of joints; they overlap.
    public enum JointsGroupName: String, CaseIterable, Codable, Hashable, Sendable {
        /// Nose, eyes and ears.
        case face
        /// Neck, shoulders, root and hips.
        case torso
        /// Shoulder, elbow and wrist.
        case leftArm, rightArm
        /// Hip, knee and ankle.
        case leftLeg, rightLeg
    }

    /// A unique identifier, by which observations are compared, and the probability that there is a person, 0...1.
    public let uuid: UUID, confidence: Float
    /// The image's time range from the stream's first frame; nil outside a stream.
    public let timeRange: CMTimeRange?
    /// The request that made the observation; nil if no request did.
    public package(set) var originatingRequestDescriptor: RequestDescriptor?
    /// All of the model's joints, also those unknown to Vision: feet, 3D points, the person's number.
    public let pose: Pose
    /// The person's own hand on each side; nil if it was not detected or not requested.
    public var leftHand, rightHand: HumanHandPoseObservation?

    /// Creates an observation from a pose and its time range in the stream.
    public init(_ pose: Pose, timeRange: CMTimeRange? = nil) {
        uuid = UUID()
        confidence = pose.confidence
        (self.timeRange, self.pose) = (timeRange, pose)
    }

    /// The joints of a group.
    public static func jointNames(in groupName: JointsGroupName) -> [JointName] {
        switch groupName {
        case .face: [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
        case .torso: [.neck, .leftShoulder, .rightShoulder, .root, .leftHip, .rightHip]
        case .leftArm: [.leftShoulder, .leftElbow, .leftWrist]
        case .rightArm: [.rightShoulder, .rightElbow, .rightWrist]
        case .leftLeg: [.leftHip, .leftKnee, .leftAnkle]
        case .rightLeg: [.rightHip, .rightKnee, .rightAnkle]
        }
    }

    /// The joints as numbers of shape [1, 3, 18] in OpenPose's order: x, y (origin at the lower left) and confidence; 0
    /// for a missing joint. Sixty arrays, concatenated, are an action classifier's window.
    public var keypoints: MLMultiArray {
        get throws { MLMultiArray(pose.keypointsArray()) }
    }
}
