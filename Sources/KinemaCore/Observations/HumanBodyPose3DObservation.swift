public import Foundation

/// One person's body in space, with Vision's names: 17 joints in metres.
public struct HumanBodyPose3DObservation: VisionObservation {
    /// Vision's 17 joints of the body in space.
    public enum JointName: String, CaseIterable, Codable, Hashable, Sendable {
        /// The midpoint of the hips, and the joints above it.
        case root, spine, centerShoulder, centerHead, topHead
        /// Joints of the arms.
        case leftShoulder, leftElbow, leftWrist, rightShoulder, rightElbow, rightWrist
        /// Joints of the legs.
        case leftHip, leftKnee, leftAnkle, rightHip, rightKnee, rightAnkle
    }

    /// Groups of joints; they overlap.
    public enum JointsGroupName: String, CaseIterable, Codable, Hashable, Sendable {
        /// Centre and top of the head.
        case head
        /// Shoulders, spine, root and hips.
        case torso
        /// Shoulder, elbow and wrist.
        case leftArm, rightArm
        /// Hip, knee and ankle.
        case leftLeg, rightLeg
    }

    /// Where a body's height comes from.
    public enum EstimationTechnique: String, Codable, Hashable, Sendable {
        /// From measured depth, which no input has here.
        case measured
        /// From the bodies that the landmark model has learned.
        case reference
    }

    private struct Place: Hashable, Codable {
        var position: SIMD3<Float>
        var point: NormalizedPoint
    }

    /// A unique identifier, by which observations are compared, and the probability that there is a person, 0...1.
    public let uuid: UUID, confidence: Float
    /// The picture's time range from the stream's first frame; nil outside a stream.
    public let timeRange: CMTimeRange?
    /// The request that made the observation; nil if no request did.
    public package(set) var originatingRequestDescriptor: RequestDescriptor?
    /// Where `bodyHeight` comes from: always `.reference`.
    public let heightEstimationTechnique: EstimationTechnique
    /// The camera's place seen from the root, in metres; its axes are those of the joints.
    ///
    /// The distance assumes a lens of 28 mm in terms of 35 mm film, as in phones; it grows with the true focal length.
    public let cameraOriginMatrix: simd_float4x4
    private let places: [JointName: Place]
    private let heightInMetres: Float

    /// Makes an observation from a pose with points in space; nil if any of them is missing.
    package init?(_ pose: Pose, width: Int, height: Int, timeRange: CMTimeRange? = nil) {
        var places: [JointName: Place] = [:]
        for name in JointName.allCases {
            guard let (position, point) = BodyJoints3D.place(of: name, in: pose) else { return nil }
            places[name] = Place(position: position, point: NormalizedPoint(normalizedPoint: point))
        }
        self.places = places
        uuid = UUID()
        confidence = pose.confidence
        self.timeRange = timeRange
        heightEstimationTechnique = .reference
        heightInMetres = BodyJoints3D.height(places.mapValues(\.position))
        let camera = BodyJoints3D.camera(of: pose, width: width, height: height)
        cameraOriginMatrix = simd_float4x4(translation: camera)
    }

    /// The height of the standing body by its bones, from the soles to the top of the head.
    public var bodyHeight: Measurement<UnitLength> { Measurement(value: Double(heightInMetres), unit: .meters) }

    /// The names of the joints that were found: all.
    public var availableJointNames: [JointName] { JointName.allCases }

    /// All groups of joints.
    public var availableJointsGroupNames: [JointsGroupName] { JointsGroupName.allCases }

    /// The joints of a group.
    package static func jointNames(in groupName: JointsGroupName) -> [JointName] {
        switch groupName {
        case .head: [.centerHead, .topHead]
        case .torso: [.leftShoulder, .rightShoulder, .centerShoulder, .spine, .root, .leftHip, .rightHip]
        case .leftArm: [.leftShoulder, .leftElbow, .leftWrist]
        case .rightArm: [.rightShoulder, .rightElbow, .rightWrist]
        case .leftLeg: [.leftHip, .leftKnee, .leftAnkle]
        case .rightLeg: [.rightHip, .rightKnee, .rightAnkle]
        }
    }

    /// A joint by name.
    public func joint(for jointName: JointName) -> Joint3D? {
        guard let place = places[jointName] else { return nil }
        let parent = parentJointName(for: jointName)
        let origin = places[parent]?.position ?? place.position
        return Joint3D(
            position: simd_float4x4(translation: place.position),
            localPosition: simd_float4x4(translation: place.position - origin),
            identifer: jointName.rawValue, parentJoint: parent.rawValue)
    }

    /// The joints of a group by name; all of them for nil.
    public func allJoints(in groupName: JointsGroupName? = nil) -> [JointName: Joint3D] {
        let names = groupName.map(Self.jointNames(in:)) ?? JointName.allCases
        return names.reduce(into: [:]) { joints, name in joints[name] = joint(for: name) }
    }

    /// The next joint towards the root; the root itself for the root.
    public func parentJointName(for jointName: JointName) -> JointName { Self.parents[jointName] ?? jointName }

    private static let parents: [JointName: JointName] = [
        .spine: .root, .centerShoulder: .spine, .centerHead: .centerShoulder, .topHead: .centerHead,
        .leftShoulder: .centerShoulder, .leftElbow: .leftShoulder, .leftWrist: .leftElbow,
        .rightShoulder: .centerShoulder, .rightElbow: .rightShoulder, .rightWrist: .rightElbow,
        .leftHip: .root, .leftKnee: .leftHip, .leftAnkle: .leftKnee,
        .rightHip: .root, .rightKnee: .rightHip, .rightAnkle: .rightKnee,
    ]

    /// A joint's position in metres from the camera, which looks along negative z.
    public func cameraRelativePosition(for jointName: JointName) -> simd_float4x4 {
        simd_float4x4(translation: (places[jointName]?.position ?? .zero) - cameraOriginMatrix.translation)
    }

    /// Where the picture shows a joint, normalised, origin at the lower left.
    public func pointInImage(for jointName: JointName) -> NormalizedPoint { places[jointName]?.point ?? .zero }
}

/// Vision's 17 joints in space, the body's height and the camera's place, from a pose's landmarks.
enum BodyJoints3D {
    /// From the centre of the head to its top, in lengths from the shoulders to the centre of the head. Drillis and Contini
    /// (1966): of the standing height, the top is at 1, the eyes are at 0.936 and the shoulders at 0.818.
    static let topShare = (1 - 0.936) / (0.936 - 0.818)
    /// From the sole to the ankle, as a share of the standing height (Drillis and Contini).
    private static let ankleShare: Float = 0.039
    /// The focal length of a phone's camera in lengths of the picture's longer side: 28 mm for 36 mm of film.
    private static let focalLength = 28.0 / 36

    /// A joint in metres from the root and in the picture.
    static func place(
        of name: HumanBodyPose3DObservation.JointName, in pose: Pose
    ) -> (position: SIMD3<Float>, point: CGPoint)? {
        switch name {
        case .centerShoulder: place(between: .leftShoulder, .rightShoulder, in: pose)
        case .centerHead: place(between: .leftEar, .rightEar, in: pose)
        case .spine: mix(place(of: .root, in: pose), place(of: .centerShoulder, in: pose), 0.5)
        case .topHead: mix(place(of: .centerShoulder, in: pose), place(of: .centerHead, in: pose), 1 + topShare)
        default: place(between: JointKey(rawValue: name.rawValue), JointKey(rawValue: name.rawValue), in: pose)
        }
    }

    private static func place(
        between one: JointKey, _ other: JointKey, in pose: Pose
    ) -> (position: SIMD3<Float>, point: CGPoint)? {
        guard let first = pose.keypoints3D[one], let second = pose.keypoints3D[other],
            let a = pose.keypoints[one], let b = pose.keypoints[other]
        else { return nil }
        return mix((first.position, a.location), (second.position, b.location), 0.5)
    }

    private static func mix(
        _ one: (position: SIMD3<Float>, point: CGPoint)?, _ other: (position: SIMD3<Float>, point: CGPoint)?,
        _ share: Double
    ) -> (position: SIMD3<Float>, point: CGPoint)? {
        guard let one, let other else { return nil }
        return (
            one.position + (other.position - one.position) * Float(share),
            CGPoint(
                x: one.point.x + (other.point.x - one.point.x) * share,
                y: one.point.y + (other.point.y - one.point.y) * share)
        )
    }

    /// The height of the standing body: the lengths of its bones from the soles to the top of the head.
    static func height(_ positions: [HumanBodyPose3DObservation.JointName: SIMD3<Float>]) -> Float {
        func length(_ names: HumanBodyPose3DObservation.JointName...) -> Float {
            zip(names, names.dropFirst()).reduce(0) { sum, pair in
                guard let one = positions[pair.0], let other = positions[pair.1] else { return sum }
                return sum + simd_distance(one, other)
            }
        }
        let legs = (length(.leftAnkle, .leftKnee, .leftHip) + length(.rightAnkle, .rightKnee, .rightHip)) / 2
        return (legs + length(.root, .centerShoulder, .centerHead, .topHead)) / (1 - ankleShare)
    }

    /// The camera's place in metres from the root, where the projection of the joints fits the picture best.
    static func camera(of pose: Pose, width: Int, height: Int) -> SIMD3<Float> {
        let longer = Double(max(width, height))
        let joints = pose.keypoints3D.values.compactMap {
            joint -> (weight: Double, seen: SIMD2<Double>, shift: SIMD2<Double>)? in
            guard let point = pose.keypoints[joint.key] else { return nil }
            let position = SIMD3<Double>(joint.position)
            let seen = SIMD2(
                (point.location.x - 0.5) * Double(width) / longer, (point.location.y - 0.5) * Double(height) / longer)
            // Seen · (distance - z) = focal length · (position + translation), for x and y.
            return (Double(joint.confidence), seen, -seen * position.z - focalLength * SIMD2(position.x, position.y))
        }
        let total = joints.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return .zero }
        let seen = joints.reduce(SIMD2<Double>.zero) { $0 + $1.seen * $1.weight } / total
        let shift = joints.reduce(SIMD2<Double>.zero) { $0 + $1.shift * $1.weight } / total
        let (product, square) = joints.reduce((0.0, 0.0)) { sums, joint in
            let offset = joint.seen - seen
            return (
                sums.0 + joint.weight * (offset * (joint.shift - shift)).sum(),
                sums.1 + joint.weight * (offset * offset).sum()
            )
        }
        let distance = square > 0 ? -product / square : 0
        let translation = (shift + seen * distance) / focalLength
        return SIMD3<Float>(SIMD3(-translation.x, -translation.y, distance))
    }
}

/// A joint of a body in space, with Vision's names; the matrices only move, they do not turn.
public struct Joint3D: Hashable, Sendable, Codable {
    /// The position in metres from the root: x to the picture's right, y up, z towards the camera.
    public let position: simd_float4x4
    /// The position in metres from the parent joint, in the same directions.
    public let localPosition: simd_float4x4
    /// The names of the joint and of its parent; the root is its own parent.
    public let identifier, parentJoint: String
    /// Makes a joint. The spelling is Vision's.
    public init(
        position: simd_float4x4, localPosition: simd_float4x4, identifer identifier: String, parentJoint: String
    ) {
        (self.position, self.localPosition) = (position, localPosition)
        (self.identifier, self.parentJoint) = (identifier, parentJoint)
    }
}
