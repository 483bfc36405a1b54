import KinemaCore

/// PoseNet's 17 joints in the order of its maps, and the edges along which it walks from joint to joint.
enum PoseNetSkeleton {
    /// COCO's order.
    static let joints: [JointKey] = [
        .nose, .leftEye, .rightEye, .leftEar, .rightEar, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow,
        .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]

    /// Edges in the order of the displacement maps: a tree whose root is the nose.
    static let edges: [(parent: Int, child: Int)] = [
        (0, 1), (1, 3), (0, 2), (2, 4), (0, 5), (5, 7), (7, 9), (5, 11), (11, 13), (13, 15), (0, 6), (6, 8), (8, 10),
        (6, 12), (12, 14), (14, 16),
    ]

    /// A way from a joint to one beside it.
    struct Step: Hashable {
        let edge: Int
        let target: Int
        /// Whether the way is from the parent to the child.
        let isForward: Bool
    }

    /// The ways that lead on from each joint.
    static let steps: [[Step]] = joints.indices.map { joint in
        edges.enumerated().compactMap { index, edge in
            if edge.parent == joint { return Step(edge: index, target: edge.child, isForward: true) }
            return edge.child == joint ? Step(edge: index, target: edge.parent, isForward: false) : nil
        }
    }

    /// Vision's joints that lie in the middle of two of PoseNet's.
    static let middles: [(key: JointKey, between: (Int, Int))] = [(.neck, (5, 6)), (.root, (11, 12))]
}
