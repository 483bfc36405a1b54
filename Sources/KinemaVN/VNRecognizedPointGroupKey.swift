import KinemaCore

/// The key of a group of joints; the raw values are Vision's.
public struct VNRecognizedPointGroupKey: RawRepresentable, Hashable, Sendable {
    /// The key as text.
    public let rawValue: String

    /// Makes a key from text.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ text: String) { rawValue = text }

    /// All joints.
    public static let all = Self("VNIPOAll")
    /// The groups of a body's joints, under their names of 2020.
    public static let bodyLandmarkRegionKeyFace = Self("VNBLKFACE"), bodyLandmarkRegionKeyTorso = Self("VNBLKTORSO"),
        bodyLandmarkRegionKeyLeftArm = Self("VNBLKLARM"), bodyLandmarkRegionKeyRightArm = Self("VNBLKRARM"),
        bodyLandmarkRegionKeyLeftLeg = Self("VNBLKLLEG"), bodyLandmarkRegionKeyRightLeg = Self("VNBLKRLEG")
    /// The fingers, under their names of 2020.
    public static let handLandmarkRegionKeyThumb = Self("VNHLRKT"),
        handLandmarkRegionKeyIndexFinger = Self("VNHLRKI"), handLandmarkRegionKeyMiddleFinger = Self("VNHLRKM"),
        handLandmarkRegionKeyRingFinger = Self("VNHLRKR"), handLandmarkRegionKeyLittleFinger = Self("VNHLRKP")

    /// The groups of a body with their names in the Swift API.
    static let bodyGroups: KeyValuePairs<Self, HumanBodyPoseObservation.JointsGroupName> = [
        .bodyLandmarkRegionKeyFace: .face, .bodyLandmarkRegionKeyTorso: .torso,
        .bodyLandmarkRegionKeyLeftArm: .leftArm, .bodyLandmarkRegionKeyRightArm: .rightArm,
        .bodyLandmarkRegionKeyLeftLeg: .leftLeg, .bodyLandmarkRegionKeyRightLeg: .rightLeg,
    ]

    /// The fingers with their names in the Swift API.
    static let handGroups: KeyValuePairs<Self, HumanHandPoseObservation.JointsGroupName> = [
        .handLandmarkRegionKeyThumb: .thumb, .handLandmarkRegionKeyIndexFinger: .indexFinger,
        .handLandmarkRegionKeyMiddleFinger: .middleFinger, .handLandmarkRegionKeyRingFinger: .ringFinger,
        .handLandmarkRegionKeyLittleFinger: .littleFinger,
    ]
}
