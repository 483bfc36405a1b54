public import KinemaCore

/// The subject of an action: a body of 18 joints or a hand of 21, in the joint orders of Create ML's classifiers.
public enum ActionSubject: String, Hashable, Sendable, Codable, CaseIterable {
    /// A body: OpenPose's 18 joints.
    case body
    /// A hand: its 21 joints.
    case hand

    /// The joints in the order of a window's columns.
    public var joints: [JointKey] { self == .body ? Pose.arrayJoints : HandSkeleton.joints }

    /// For each joint, the index of its mirror partner; a hand's joints map to themselves.
    var mirrored: [Int] {
        self == .body ? [0, 1, 5, 6, 7, 2, 3, 4, 11, 12, 13, 8, 9, 10, 15, 14, 17, 16] : Array(0..<21)
    }

    /// The joint that is the origin of coordinates: the neck or the wrist.
    var centre: Int { self == .body ? 1 : 0 }

    /// The joints whose mean replaces a missing centre: shoulders or knuckles.
    var centreSubstitutes: [Int] { self == .body ? [2, 5] : [5, 9, 13, 17] }

    /// The lengths that give the size: from the mean of some joints to that of others, with the factor to torso
    /// lengths.
    ///
    /// The longest counts, because turning and leaning only shorten a length. The shoulders are about 0.8 torso lengths
    /// apart: Winter, Biomechanics and Motor Control of Human Movement, table of segment lengths (0.259 of the height
    /// from shoulder to shoulder, 0.288 + 0.03 from hip to neck).
    var measures: [(from: [Int], to: [Int], factor: Float)] {
        switch self {
        case .body: [(from: [1], to: [8, 11], factor: 1), (from: [2], to: [5], factor: 1.2)]
        case .hand: [(from: [0], to: [9], factor: 1), (from: [5], to: [17], factor: 1.6)]
        }
    }

    /// Pairs of joints whose distance is a feature: hands to each other, to the face and to the trunk.
    var links: [(Int, Int)] {
        switch self {
        case .body:
            [
                (4, 7), (4, 0), (7, 0), (4, 2), (7, 5), (4, 8), (7, 11), (4, 5), (7, 2), (3, 6), (10, 13), (4, 6),
                (7, 3), (8, 10), (11, 13),
            ]
        case .hand:
            [
                (4, 8), (8, 12), (12, 16), (16, 20), (4, 20), (0, 4), (0, 8), (0, 12), (0, 16), (0, 20), (4, 5),
                (4, 17),
            ]
        }
    }
}
