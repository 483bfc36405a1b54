import Foundation
public import KinemaCore
public import KinemaMedia

/// Finds the hands in a picture.
///
/// Each call looks anew; to follow hands through a video use `HumanHandPoseExtractor`, which is faster.
public struct DetectHumanHandPoseRequest: ImageProcessingRequest {
    /// The generations of the request.
    public enum Revision: String, Sendable, Hashable, CaseIterable, Codable {
        /// The only one there is.
        case revision1
    }

    /// The generation in use.
    public let revision: Revision
    /// Hands whose wrist lies outside this part of the picture are left out.
    public var regionOfInterest = NormalizedRect.fullImage
    /// The most hands that are found, the largest first; 2 unless told otherwise.
    public var maximumHandCount = 2

    /// The generations that are supported.
    public static var supportedRevisions: [Revision] { Revision.allCases }

    /// Makes a request.
    public init(_ revision: Revision? = nil) {
        self.revision = revision ?? .revision1
    }

    /// The joints that can be found.
    public var supportedJointNames: [HumanHandPoseObservation.JointName] { HumanHandPoseObservation.JointName.allCases }
    /// The groups of joints.
    public var supportedJointsGroupNames: [HumanHandPoseObservation.JointsGroupName] {
        HumanHandPoseObservation.JointsGroupName.allCases
    }

    /// The hands in a frame, the largest first.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed, `.analysisFailed` when
    /// inference fails.
    public func perform(on frame: VideoFrame) async throws -> [HumanHandPoseObservation] {
        try Task.checkCancellation()
        let isWhole = regionOfInterest == .fullImage
        // Hands outside the region must not take the places of those inside.
        var tracker = try HandPoseTracker(
            options: HandPoseOptions(maximumHandCount: isWhole ? maximumHandCount : max(maximumHandCount, 16)),
            looksOnce: true)
        let hands = try tracker.update(frame).filter { hand in
            guard let wrist = hand.pose.keypoints[.wrist]?.location else { return false }
            return isWhole || regionOfInterest.cgRect.contains(wrist)
        }
        return hands.prefix(max(0, maximumHandCount)).map { hand in
            // A picture by itself has no hands to follow over time.
            var hand = hand
            hand.pose.id = nil
            return hand
        }
    }
}
