public import Foundation

/// A rectangle around a person, with Vision's names.
public struct HumanObservation: VisionObservation {
    /// A unique identifier, by which observations are compared, and the probability that there is a person, 0...1.
    public let uuid: UUID, confidence: Float
    /// The picture's time range from the stream's first frame, nil outside a stream, and the request; nil without one.
    public let timeRange: CMTimeRange?, originatingRequestDescriptor: RequestDescriptor?
    /// The rectangle, normalised, origin at the lower left.
    public let boundingBox: NormalizedRect
    /// Whether the rectangle ends at the hips.
    public let isUpperBodyOnly: Bool

    /// The joints that only the whole body has.
    private static let legs: Set<JointKey> = [
        .leftKnee, .rightKnee, .leftAnkle, .rightAnkle, .leftHeel, .rightHeel, .leftFootTip, .rightFootTip,
    ]
    /// The joints that move away from the trunk, which do not belong to the upper body's rectangle.
    private static let arms: Set<JointKey> = [
        .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftThumb, .rightThumb, .leftIndexFinger,
        .rightIndexFinger, .leftLittleFinger, .rightLittleFinger,
    ]
    /// From a joint to the skin, in lengths of the trunk: 3 % of the standing height, of which the trunk is 29 %.
    private static let flesh = 0.1

    /// Makes an observation from a pose; nil if no joint is sure enough.
    package init?(
        _ pose: Pose, aspectRatio: Double, isUpperBodyOnly: Bool, timeRange: CMTimeRange? = nil,
        from request: RequestDescriptor? = nil
    ) {
        // Of a body, the rest of which is out of view, the landmark model guesses the joints with low confidence.
        let joints = pose.keypoints.values.filter { joint in
            joint.confidence >= 0.3
                && !(isUpperBodyOnly && (Self.legs.contains(joint.key) || Self.arms.contains(joint.key)))
        }
        var points = joints.map { CGPoint(x: $0.location.x * aspectRatio, y: $0.location.y) }
        func middle(_ one: JointKey, _ other: JointKey) -> CGPoint {
            let (a, b) = (pose[one].location, pose[other].location)
            return CGPoint(x: (a.x + b.x) / 2 * aspectRatio, y: (a.y + b.y) / 2)
        }
        let (shoulders, hips, head) = (
            middle(.leftShoulder, .rightShoulder), middle(.leftHip, .rightHip), middle(.leftEar, .rightEar)
        )
        let trunk = hypot(shoulders.x - hips.x, shoulders.y - hips.y)
        if min(pose[.leftEar].confidence, pose[.rightEar].confidence) >= 0.3 {
            points.append(
                CGPoint(
                    x: head.x + (head.x - shoulders.x) * BodyJoints3D.topShare,
                    y: head.y + (head.y - shoulders.y) * BodyJoints3D.topShare))
        }
        guard let box = CGRect(around: points)?.insetBy(dx: -Self.flesh * trunk, dy: -Self.flesh * trunk),
            !joints.isEmpty
        else { return nil }
        let visible = CGRect(x: box.minX / aspectRatio, y: box.minY, width: box.width / aspectRatio, height: box.height)
            .intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
        guard !visible.isNull else { return nil }
        uuid = UUID()
        confidence = pose.confidence
        (self.timeRange, originatingRequestDescriptor) = (timeRange, request)
        boundingBox = NormalizedRect(normalizedRect: visible)
        self.isUpperBodyOnly = isUpperBodyOnly
    }
}
