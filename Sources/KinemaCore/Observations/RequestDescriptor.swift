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
