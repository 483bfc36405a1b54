public import Foundation
public import KinemaCore

/// What a PoseNet model says about a picture: four maps over a grid of cells, whose rows run from the top down.
///
/// A map holds row after row of cells, each with its channels side by side. Vectors have all their y first, then all
/// their x, in pixels of the model's input, origin at the top left.
public struct PoseNetOutput: Sendable {
    /// The size of the model's input in pixels.
    public let modelInputSize: CGSize
    /// How many pixels of the input lie between two cells.
    public let modelOutputStride: Int
    /// Cells in a row.
    public let gridWidth: Int
    /// Rows of cells.
    public let gridHeight: Int

    /// How likely each of the 17 joints is in a cell, 0...1.
    let heatmap: [Float]
    /// From a cell to each joint near it: 17 y, 17 x.
    let offsets: [Float]
    /// From a parent joint to its child along each of the 16 edges: 16 y, 16 x.
    let forwardDisplacementMap: [Float]
    /// From a child joint to its parent along each of the 16 edges: 16 y, 16 x.
    let backwardDisplacementMap: [Float]

    /// Takes the maps: 17, 34, 32 and 32 numbers a cell; heatmap values are probabilities.
    ///
    /// Throws `.invalidArgument` when their lengths do not fit the grid.
    public init(
        heatmap: [Float], offsets: [Float], forwardDisplacementMap: [Float], backwardDisplacementMap: [Float],
        gridWidth: Int, gridHeight: Int, modelInputSize: CGSize, modelOutputStride: Int
    ) throws(KinemaError) {
        let cells = gridWidth * gridHeight
        guard gridWidth > 0, gridHeight > 0, heatmap.count == 17 * cells, offsets.count == 34 * cells,
            forwardDisplacementMap.count == 32 * cells, backwardDisplacementMap.count == 32 * cells
        else {
            throw KinemaError(.invalidArgument, "PoseNet's maps have 17, 34, 32 and 32 numbers for each cell")
        }
        guard modelInputSize.width > 0, modelInputSize.height > 0, modelOutputStride > 0 else {
            throw KinemaError(.invalidArgument, "PoseNet's input has a size, and its cells lie some pixels apart")
        }
        self.heatmap = heatmap
        self.offsets = offsets
        self.forwardDisplacementMap = forwardDisplacementMap
        self.backwardDisplacementMap = backwardDisplacementMap
        self.gridWidth = gridWidth
        self.gridHeight = gridHeight
        self.modelInputSize = modelInputSize
        self.modelOutputStride = modelOutputStride
    }
}

/// Looking up joints; positions are pixels of the model's input, origin at the top left.
extension PoseNetOutput {
    /// A cell of the grid.
    struct Cell: Hashable {
        var x: Int
        var y: Int
    }

    /// How likely a joint is in a cell.
    func confidence(_ joint: Int, at cell: Cell) -> Float {
        heatmap[(cell.y * gridWidth + cell.x) * 17 + joint]
    }

    /// Where a cell's own pixel lies.
    func position(of cell: Cell) -> SIMD2<Double> {
        SIMD2(Double(cell.x), Double(cell.y)) * Double(modelOutputStride)
    }

    /// The nearest cell; nil beyond the grid.
    func cell(at position: SIMD2<Double>) -> Cell? {
        let place = (position / Double(modelOutputStride)).rounded(.toNearestOrAwayFromZero)
        // Comparing before converting also refuses what is no number.
        guard place.x >= 0, place.y >= 0, place.x < Double(gridWidth), place.y < Double(gridHeight) else { return nil }
        return Cell(x: Int(place.x), y: Int(place.y))
    }

    /// How likely a joint is at a position inside the grid, between the cells around it.
    func confidence(_ joint: Int, at position: SIMD2<Double>) -> Float {
        mix(position) { heatmap[$0 * 17 + joint] }
    }

    /// The way from a position inside the grid to a joint near it.
    func offset(_ joint: Int, at position: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(
            Double(mix(position) { offsets[$0 * 34 + 17 + joint] }), Double(mix(position) { offsets[$0 * 34 + joint] }))
    }

    /// The way along an edge from a joint at a position inside the grid to the joint beside it.
    func displacement(_ step: PoseNetSkeleton.Step, at position: SIMD2<Double>) -> SIMD2<Double> {
        let map = step.isForward ? forwardDisplacementMap : backwardDisplacementMap
        return SIMD2(
            Double(mix(position) { map[$0 * 32 + 16 + step.edge] }), Double(mix(position) { map[$0 * 32 + step.edge] }))
    }

    /// A map's value between the four cells around a position; beyond the outermost cells, theirs.
    ///
    /// The sample reads the nearest cell instead, Google's own decoder mixes: joints come out half as far from its.
    private func mix(_ position: SIMD2<Double>, _ value: (Int) -> Float) -> Float {
        let last = SIMD2(Double(gridWidth - 1), Double(gridHeight - 1))
        let place = (position / Double(modelOutputStride)).clamped(lowerBound: .zero, upperBound: last)
        let (left, top) = (Int(place.x), Int(place.y))
        let (right, bottom) = (min(left + 1, gridWidth - 1), min(top + 1, gridHeight - 1))
        let (across, down) = (Float(place.x - Double(left)), Float(place.y - Double(top)))
        func row(_ y: Int) -> Float {
            let (from, to) = (value(y * gridWidth + left), value(y * gridWidth + right))
            return from + (to - from) * across
        }
        let upper = row(top)
        return upper + (row(bottom) - upper) * down
    }
}

/// One person as PoseNet's maps tell it; pixels of the model's input, origin at the top left.
struct DecodedPose: Sendable, Equatable {
    /// A joint that lies inside the grid.
    struct Joint: Sendable, Equatable {
        var position: SIMD2<Double>
        var confidence: Float
        /// Whether it is sure enough to count, and to lead to the joints beside it.
        var isValid: Bool
    }

    /// The joints in PoseNet's order; nil where none was found inside the grid.
    var joints = [Joint?](repeating: nil, count: PoseNetSkeleton.joints.count)
    /// The mean confidence of all joints, those that are not valid counting as zero.
    var confidence: Float = 0

    /// The valid joint of that number.
    func validJoint(_ index: Int) -> Joint? {
        joints[index].flatMap { $0.isValid ? $0 : nil }
    }

    /// The pose in Kinema's terms: normalised to the picture that was stretched to the model's input, origin at the
    /// lower left, with neck and root in the middle of shoulders and hips.
    func pose(inputSize: CGSize) -> Pose {
        var keypoints: [JointKey: JointPoint] = [:]
        func add(_ key: JointKey, _ position: SIMD2<Double>, _ confidence: Float) {
            let location = CGPoint(x: position.x / inputSize.width, y: 1 - position.y / inputSize.height)
            keypoints[key] = JointPoint(key, location: location, confidence: confidence)
        }
        for case (let key, let joint?) in zip(PoseNetSkeleton.joints, joints) {
            add(key, joint.position, joint.confidence)
        }
        for (key, (a, b)) in PoseNetSkeleton.middles {
            guard let a = joints[a], let b = joints[b] else { continue }
            add(key, (a.position + b.position) / 2, min(a.confidence, b.confidence))
        }
        return Pose(from: keypoints, keypoints3D: [:], id: nil, confidence: confidence)
    }
}

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
