public import Foundation

/// One hand in one image, with Vision's names.
public struct HumanHandPoseObservation: VisionObservation, PoseProviding {
    /// The side of a hand.
    public enum Chirality: String, CaseIterable, Codable, Hashable, Sendable {
        /// The person's own left or right hand.
        case left, right
    }

    /// Vision's 21 joints of a hand.
    public enum JointName: String, CaseIterable, Codable, Hashable, Sendable {
        /// The base of the hand.
        case wrist
        /// Joints of the thumb, from the palm to the tip.
        case thumbCMC, thumbMP, thumbIP, thumbTip
        /// Joints of the index finger, from the palm to the tip.
        case indexMCP, indexPIP, indexDIP, indexTip
        /// Joints of the middle finger, from the palm to the tip.
        case middleMCP, middlePIP, middleDIP, middleTip
        /// Joints of the ring finger, from the palm to the tip.
        case ringMCP, ringPIP, ringDIP, ringTip
        /// Joints of the little finger, from the palm to the tip.
        case littleMCP, littlePIP, littleDIP, littleTip
    }

    /// The fingers; the wrist belongs to none.
    public enum JointsGroupName: String, CaseIterable, Codable, Hashable, Sendable {
        /// The four joints of a finger.
        case thumb, indexFinger, middleFinger, ringFinger, littleFinger
    }

    /// A unique identifier, by which observations are compared, and the probability that there is a hand, 0...1.
    public let uuid: UUID, confidence: Float
    /// The side of the hand; nil if unknown. Correct for images that are not mirrored.
    public var chirality: Chirality?
    /// The image's time range from the stream's first frame; nil outside a stream.
    public let timeRange: CMTimeRange?
    /// The request that made the observation; nil if no request did.
    public package(set) var originatingRequestDescriptor: RequestDescriptor?
    /// The joints, normalised and in metres, and the hand's number, which stays the same from frame to frame.
    public var pose: Pose

    /// Creates an observation from a hand's pose, its side and its time range in the stream.
    public init(_ pose: Pose, chirality: Chirality?, timeRange: CMTimeRange? = nil) {
        uuid = UUID()
        confidence = pose.confidence
        (self.chirality, self.timeRange, self.pose) = (chirality, timeRange, pose)
    }

    /// The joints of a finger, from the palm to the tip.
    public static func jointNames(in groupName: JointsGroupName) -> [JointName] {
        switch groupName {
        case .thumb: [.thumbCMC, .thumbMP, .thumbIP, .thumbTip]
        case .indexFinger: [.indexMCP, .indexPIP, .indexDIP, .indexTip]
        case .middleFinger: [.middleMCP, .middlePIP, .middleDIP, .middleTip]
        case .ringFinger: [.ringMCP, .ringPIP, .ringDIP, .ringTip]
        case .littleFinger: [.littleMCP, .littlePIP, .littleDIP, .littleTip]
        }
    }

    /// The joints as numbers of shape [1, 3, 21] in `JointName` order: x, y (origin lower left), confidence; 0 if none.
    public var keypoints: MLMultiArray {
        get throws { MLMultiArray(pose.array(of: JointName.allCases.map { JointKey(rawValue: $0.rawValue) })) }
    }
}
