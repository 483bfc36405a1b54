public import Foundation

/// The joints of one person or one hand in one frame, like Create ML Components' `Pose`.
public struct Pose: Hashable, Sendable, Codable {
    /// The joints by name, normalised to the image with the origin at the lower left.
    public var keypoints: [JointKey: JointPoint]
    /// The joints in metres from the midpoint of the hips, or of the hand; empty if the model gives no depth.
    public var keypoints3D: [JointKey: JointPoint3D]
    /// The person's number, the same in every frame of a stream; nil without tracking.
    public var id: Int?
    /// The shot of the stream, counted from 0 and increased at each cut; nil if cuts are not detected.
    public var shot: Int?
    /// Whether the joints are those of an earlier frame, kept because the person is at rest.
    public var isHeld = false
    /// The probability that there is a person, 0...1.
    public var confidence: Float
    /// The size in pixels of the upright image; nil if unknown.
    public var imageSize: CGSize?
    /// The motion of the background in the picture since the stream began; nil if unknown.
    package var cameraMotion: SimilarityTransform?

    private enum CodingKeys: String, CodingKey { case keypoints, keypoints3D, id, shot, isHeld, confidence, imageSize }

    /// Creates a pose from its joints.
    public init(from keypoints: [JointKey: JointPoint]) {
        self.init(from: keypoints, keypoints3D: [:], id: nil, confidence: keypoints.isEmpty ? 0 : 1)
    }

    /// Creates a pose from its joints in the image and in space, the person's number and the confidence (0...1).
    package init(
        from keypoints: [JointKey: JointPoint], keypoints3D: [JointKey: JointPoint3D], id: Int?, confidence: Float
    ) {
        (self.keypoints, self.keypoints3D, self.id, self.confidence) = (keypoints, keypoints3D, id, confidence)
    }

    /// Decodes a pose; one that was encoded without `isHeld` is not held.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            from: try values.decode([JointKey: JointPoint].self, forKey: .keypoints),
            keypoints3D: try values.decode([JointKey: JointPoint3D].self, forKey: .keypoints3D),
            id: try values.decodeIfPresent(Int.self, forKey: .id),
            confidence: try values.decode(Float.self, forKey: .confidence))
        shot = try values.decodeIfPresent(Int.self, forKey: .shot)
        imageSize = try values.decodeIfPresent(CGSize.self, forKey: .imageSize)
        isHeld = try values.decodeIfPresent(Bool.self, forKey: .isHeld) ?? false
    }

    /// Creates a pose from one of Vision's observations.
    public init(_ observation: some PoseProviding) throws { self = observation.pose }

    /// The joint of that name. A joint that was not detected is at (0, 0) with confidence 0, so `isValid` is false.
    public subscript(joint: JointKey) -> JointPoint {
        keypoints[joint] ?? JointPoint(joint, location: .zero, confidence: 0)
    }

    /// The area of the bounding box of all joints with at least this confidence, as a share of the image (0...1).
    public func boundingBoxArea(confidenceThreshold: Float = 0.2) -> Float {
        guard let box = boundingBox(confidenceThreshold: confidenceThreshold) else { return 0 }
        return Float(box.width * box.height)
    }

    /// The box of all joints with at least this confidence, normalised, origin at the lower left; nil for none.
    public func boundingBox(confidenceThreshold: Float = 0.2) -> CGRect? {
        CGRect(around: keypoints.values.lazy.filter { $0.confidence >= confidenceThreshold }.map(\.location))
    }

    /// The joints of `keypointsArray()` in order: OpenPose's 18, which are Vision's without the root.
    package static let arrayJoints: [JointKey] = [
        .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist, .rightHip,
        .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye, .rightEar, .leftEar,
    ]

    /// The joints as Create ML's action classifiers take them, in the order of `arrayJoints`.
    package func keypointsArray() -> ShapedArray<Double> { array(of: Self.arrayJoints) }

    /// The pose without the joints that were not found.
    package var found: Pose {
        var pose = self
        pose.keypoints = keypoints.filter(\.value.isFound)
        return pose
    }

    /// Joints as numbers of shape [1, 3, n]: x, y (origin at the lower left) and confidence; 0 for missing joints.
    func array(of keys: [JointKey]) -> ShapedArray<Double> {
        let joints = keys.map { self[$0] }
        return ShapedArray(
            scalars: joints.map { Double($0.location.x) } + joints.map { Double($0.location.y) }
                + joints.map { Double($0.confidence) },
            shape: [1, 3, joints.count])
    }
}

/// A joint of a pose: its position in the image and its confidence.
public struct JointPoint: Equatable, Hashable, Sendable, Codable {
    /// The joint's name.
    public let key: JointKey
    /// The position, normalised to the image: 0...1, origin at the lower left. Outside 0...1 when out of view.
    public var location: CGPoint
    /// The probability that the joint is at `location`, 0...1.
    public var confidence: Float

    /// Creates a joint from its name, normalised position (origin at the lower left) and confidence (0...1).
    public init(_ key: JointKey, location: CGPoint, confidence: Float) {
        (self.key, self.location, self.confidence) = (key, location, confidence)
    }

    /// The least confidence of a joint that was found. Of 630 visible joints of COCO's pictures 1.9 % are below it or
    /// outside the picture, of 204 that nobody could label 39 % (58 % without the face, whose hidden side the model is
    /// sure of).
    private static let leastFound: Float = 0.2

    /// Whether the joint was found: in the picture, and surer than a guess.
    package var isFound: Bool {
        confidence >= Self.leastFound && (0...1).contains(location.x) && (0...1).contains(location.y)
    }

    /// Whether the joint was detected: with a confidence of at least 0.1, the joint threshold of Apple's samples.
    public var isValid: Bool { confidence >= 0.1 }
}

/// A joint in space: metres from the midpoint of the hips or the hand, x to the right, y up, z towards the camera.
public struct JointPoint3D: Equatable, Hashable, Sendable, Codable {
    /// The joint's name.
    public let key: JointKey
    /// The position in metres: x right, y up, z towards the camera.
    public var position: SIMD3<Float>
    /// The probability that the joint is at `position`, 0...1.
    public var confidence: Float

    /// Creates a joint from its name, position in metres and confidence (0...1).
    public init(_ key: JointKey, position: SIMD3<Float>, confidence: Float) {
        (self.key, self.position, self.confidence) = (key, position, confidence)
    }
}

/// The bounds of a body's joints in the picture.
///
/// Some data sets, such as RepCount's poses, stretch the body of each frame to the unit square: its position, size and
/// shape are lost.
package struct JointExtent {
    private var low = SIMD2<Double>(repeating: .infinity)
    private var high = SIMD2<Double>(repeating: -.infinity)

    /// How near to an edge counts as at the edge, as a share of the picture: more than rounding to 16 bits.
    private static let tolerance = 1e-4

    /// The extent of no joints.
    package init() {}

    package init(_ pose: Pose) {
        for joint in pose.keypoints.values { add(SIMD2(joint.location.x, joint.location.y)) }
    }

    /// Adds the position of a joint as shares of the picture; NaN is ignored.
    package mutating func add(_ place: SIMD2<Double>) {
        guard place.x.isFinite, place.y.isFinite else { return }
        (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
    }

    /// Whether all joints coincide, as when nobody is detected.
    package var isEmpty: Bool { !(low.x < high.x || low.y < high.y) }

    /// Whether the joints extend exactly to all four edges of the picture.
    package var fillsPicture: Bool {
        [low.x, low.y, high.x - 1, high.y - 1].allSatisfy { abs($0) < Self.tolerance }
    }
}
