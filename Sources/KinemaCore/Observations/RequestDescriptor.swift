/// The kind and the revision of a request, with Vision's names.
public enum RequestDescriptor: Hashable, Sendable, Codable {
    /// A request for face rectangles.
    case detectFaceRectanglesRequest(ThirdRevision)
    /// A request for human rectangles.
    case detectHumanRectanglesRequest(SecondRevision)
    /// A request for body poses.
    case detectHumanBodyPoseRequest(SecondRevision)
    /// A request for hand poses.
    case detectHumanHandPoseRequest(FirstRevision)
    /// A request for body poses in space.
    case detectHumanBodyPose3DRequest(FirstRevision)
    /// A request for the translation between frames.
    case trackTranslationalImageRegistrationRequest(FirstRevision)
    /// A request for trajectories.
    case detectTrajectoriesRequest(FirstRevision)
    /// A request for contours.
    case detectContoursRequest(FirstRevision)
    /// A request for the pixels of people.
    case generatePersonSegmentationRequest(FirstRevision)
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
