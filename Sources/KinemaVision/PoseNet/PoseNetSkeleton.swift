import KinemaCore

enum PoseNetSkeleton {
    /// The 17 joints in the order of the maps, which is COCO's.
    static let joints = COCOJoints.all

    /// The edges in the order of the displacement maps: a tree with the nose as its root.
    static let edges: [(parent: Int, child: Int)] = [
        (0, 1), (1, 3), (0, 2), (2, 4), (0, 5), (5, 7), (7, 9), (5, 11), (11, 13), (13, 15), (0, 6), (6, 8), (8, 10),
        (6, 12), (12, 14), (14, 16),
    ]

    struct Step: Hashable {
        let edge: Int
        let target: Int
        let isForward: Bool
    }

    static let steps: [[Step]] = joints.indices.map { joint in
        edges.enumerated().compactMap { index, edge in
            if edge.parent == joint { return Step(edge: index, target: edge.child, isForward: true) }
            return edge.child == joint ? Step(edge: index, target: edge.parent, isForward: false) : nil
        }
    }

    /// Vision's joints that are the midpoint of two PoseNet joints.
    static let middles: [(key: JointKey, between: (Int, Int))] = [(.neck, (5, 6)), (.root, (11, 12))]
}
