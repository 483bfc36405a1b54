public import Foundation

/// What a request finds in an image, as in Vision's Swift API.
public protocol VisionObservation: CustomStringConvertible, Sendable, Hashable, Codable {
    /// A unique identifier.
    var uuid: UUID { get }
    /// The confidence, 0...1.
    var confidence: Float { get }
    /// The image's time range from the stream's first frame; nil outside a stream.
    var timeRange: CMTimeRange? { get }
    /// The request that made the observation; nil if no request did.
    var originatingRequestDescriptor: RequestDescriptor? { get }
}

extension VisionObservation {
    /// The kind, identifier and confidence.
    public var description: String { "\(Self.self) \(uuid), confidence \(confidence)" }

    /// Compares the identifiers.
    public static func == (one: Self, other: Self) -> Bool { one.uuid == other.uuid }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}

/// The kind and the revision of a request, with Vision's names.
public enum RequestDescriptor: Hashable, Sendable, Codable {
    /// Requests for the rectangles of faces and of people.
    case detectFaceRectanglesRequest(ThirdRevision), detectHumanRectanglesRequest(SecondRevision)
    /// Requests for the poses of bodies, of hands, and of bodies in space.
    case detectHumanBodyPoseRequest(SecondRevision), detectHumanHandPoseRequest(FirstRevision),
        detectHumanBodyPose3DRequest(FirstRevision)
    /// Requests for the translation between frames, and for trajectories.
    case trackTranslationalImageRegistrationRequest(FirstRevision), detectTrajectoriesRequest(FirstRevision)
    /// Requests for contours, and for the pixels of people.
    case detectContoursRequest(FirstRevision), generatePersonSegmentationRequest(FirstRevision)
}

/// The revisions of requests that exist in their first one only.
public enum FirstRevision: String, Sendable, Hashable, CaseIterable, Codable {
    /// The current revision.
    case revision1
}

/// The revisions of requests that exist in their second one only.
public enum SecondRevision: String, Sendable, Hashable, CaseIterable, Codable {
    /// The current revision.
    case revision2
}

/// The revisions of requests that exist in their third one only.
public enum ThirdRevision: String, Sendable, Hashable, CaseIterable, Codable {
    /// The current revision.
    case revision3
}

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

/// A detected face, with Vision's names; angles of the head and landmarks are not found.
public struct FaceObservation: VisionObservation {
    /// A unique identifier, by which observations are compared, and the probability that there is a face, 0...1.
    public let uuid: UUID, confidence: Float
    /// The picture's time range from the stream's first frame, nil outside a stream, and the request; nil without one.
    public let timeRange: CMTimeRange?, originatingRequestDescriptor: RequestDescriptor?
    /// The face from the brows to the chin, 0...1 of the region of interest, origin at the lower left.
    public let boundingBox: NormalizedRect

    /// Makes an observation of a rectangle, of which the part within the picture counts.
    package init?(
        _ box: NormalizedRect, confidence: Float, timeRange: CMTimeRange? = nil, from request: RequestDescriptor? = nil
    ) {
        let visible = box.cgRect.intersection(NormalizedRect.fullImage.cgRect)
        guard !visible.isNull, !visible.isEmpty else { return nil }
        (uuid, self.confidence, self.timeRange) = (UUID(), confidence, timeRange)
        (originatingRequestDescriptor, boundingBox) = (request, NormalizedRect(normalizedRect: visible))
    }
}

/// Four corners in an image, with Vision's names.
public struct RectangleObservation: VisionObservation {
    /// A unique identifier, by which observations are compared, and the confidence in the corners, 0...1.
    public let uuid: UUID, confidence: Float
    /// Always nil: rectangles are computed from other observations.
    public var timeRange: CMTimeRange? { nil }
    /// Always nil: rectangles are computed from other observations.
    public var originatingRequestDescriptor: RequestDescriptor? { nil }
    /// The corners, normalised, origin at the lower left; named as when the rectangle is turned as upright as possible.
    public let topLeft, topRight, bottomRight, bottomLeft: NormalizedPoint

    package init(
        topLeft: NormalizedPoint, topRight: NormalizedPoint, bottomRight: NormalizedPoint,
        bottomLeft: NormalizedPoint, confidence: Float = 1
    ) {
        (uuid, self.confidence) = (UUID(), confidence)
        (self.topLeft, self.topRight, self.bottomRight, self.bottomLeft) = (topLeft, topRight, bottomRight, bottomLeft)
    }

    /// The smallest upright rectangle around the corners.
    public var boundingBox: NormalizedRect {
        NormalizedRect(around: [topLeft, topRight, bottomRight, bottomLeft].map(\.cgPoint))
    }
}
