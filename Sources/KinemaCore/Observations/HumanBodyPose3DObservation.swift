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
