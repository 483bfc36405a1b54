public import Foundation
public import KinemaCore

/// The output of a PoseNet model: four maps over a grid of cells, top row first.
///
/// The layout is row, column, channel. Vector channels hold all y components first, then all x, in pixels of the
/// model's input with the origin at the top left.
public struct PoseNetOutput: Sendable {
    /// The size of the model's input in pixels.
    public let modelInputSize: CGSize
    /// The distance of two neighbouring cells in pixels of the input.
    public let modelOutputStride: Int
    /// The number of columns of the grid.
    public let gridWidth: Int
    /// The number of rows of the grid.
    public let gridHeight: Int

    /// The probability of each of the 17 joints in a cell.
    let heatmap: [Float]
    /// The vectors from a cell to each nearby joint: 17 y, 17 x.
    let offsets: [Float]
    /// The vectors from parent to child joints along the 16 edges: 16 y, 16 x.
    let forwardDisplacementMap: [Float]
    /// The vectors from child to parent joints along the 16 edges: 16 y, 16 x.
    let backwardDisplacementMap: [Float]

    /// Creates an output from maps of 17, 34, 32 and 32 values per cell; heatmap values are probabilities.
    ///
    /// Throws `.invalidArgument` when the maps do not fit the grid.
    public init(
        heatmap: [Float], offsets: [Float], forwardDisplacementMap: [Float], backwardDisplacementMap: [Float],
        gridWidth: Int, gridHeight: Int, modelInputSize: CGSize, modelOutputStride: Int
    ) throws(KinemaError) {
        let cells = gridWidth * gridHeight
        guard gridWidth > 0, gridHeight > 0, heatmap.count == 17 * cells, offsets.count == 34 * cells,
            forwardDisplacementMap.count == 32 * cells, backwardDisplacementMap.count == 32 * cells
        else {
            throw KinemaError(
                .invalidArgument, "the maps do not fit the grid; pass 17, 34, 32 and 32 values for each cell")
        }
        guard modelInputSize.width > 0, modelInputSize.height > 0, modelOutputStride > 0 else {
            throw KinemaError(.invalidArgument, "the model's input size and output stride must be greater than 0")
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

// MARK: - Values at positions in pixels of the model's input, origin at the top left

extension PoseNetOutput {
    /// A cell of the grid.
    struct Cell: Hashable {
        var x: Int
        var y: Int
    }

    /// The probability of a joint in a cell.
    func confidence(_ joint: Int, at cell: Cell) -> Float {
        heatmap[(cell.y * gridWidth + cell.x) * 17 + joint]
    }

    /// The position of a cell.
    func position(of cell: Cell) -> SIMD2<Double> {
        SIMD2(Double(cell.x), Double(cell.y)) * Double(modelOutputStride)
    }

    /// The nearest cell; nil outside the grid.
    func cell(at position: SIMD2<Double>) -> Cell? {
        let cell = (position / Double(modelOutputStride)).rounded(.toNearestOrAwayFromZero)
        // Comparing before converting to integers also rejects NaN.
        guard cell.x >= 0, cell.y >= 0, cell.x < Double(gridWidth), cell.y < Double(gridHeight) else { return nil }
        return Cell(x: Int(cell.x), y: Int(cell.y))
    }

    /// The interpolated probability of a joint at a position.
    func confidence(_ joint: Int, at position: SIMD2<Double>) -> Float {
        interpolated(at: position) { heatmap[$0 * 17 + joint] }
    }

    /// The vector from a position to a nearby joint.
    func offset(_ joint: Int, at position: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(
            Double(interpolated(at: position) { offsets[$0 * 34 + 17 + joint] }),
            Double(interpolated(at: position) { offsets[$0 * 34 + joint] }))
    }

    /// The vector along an edge from a joint at a position to the adjacent joint.
    func displacement(_ step: PoseNetSkeleton.Step, at position: SIMD2<Double>) -> SIMD2<Double> {
        let map = step.isForward ? forwardDisplacementMap : backwardDisplacementMap
        return SIMD2(
            Double(interpolated(at: position) { map[$0 * 32 + 16 + step.edge] }),
            Double(interpolated(at: position) { map[$0 * 32 + step.edge] }))
    }

    /// A map's value by bilinear interpolation; positions are clamped to the grid.
    ///
    /// Google's decoder interpolates too; Apple's sample reads the nearest cell, which doubles the deviation from
    /// Google's joint positions.
    private func interpolated(at position: SIMD2<Double>, _ value: (Int) -> Float) -> Float {
        let last = SIMD2(Double(gridWidth - 1), Double(gridHeight - 1))
        let cell = (position / Double(modelOutputStride)).clamped(lowerBound: .zero, upperBound: last)
        let (left, top) = (Int(cell.x), Int(cell.y))
        let (right, bottom) = (min(left + 1, gridWidth - 1), min(top + 1, gridHeight - 1))
        let (across, down) = (Float(cell.x - Double(left)), Float(cell.y - Double(top)))
        func row(_ y: Int) -> Float {
            let (from, to) = (value(y * gridWidth + left), value(y * gridWidth + right))
            return from + (to - from) * across
        }
        let upper = row(top)
        return upper + (row(bottom) - upper) * down
    }
}

/// One person decoded from PoseNet's maps, in pixels of the model's input with the origin at the top left.
struct DecodedPose: Sendable, Equatable {
    /// A joint inside the grid.
    struct Joint: Sendable, Equatable {
        var position: SIMD2<Double>
        var confidence: Float
        /// Whether the confidence reaches the threshold.
        var isValid: Bool
    }

    /// The joints in PoseNet's order; nil for joints outside the grid.
    var joints = [Joint?](repeating: nil, count: PoseNetSkeleton.joints.count)
    /// The mean confidence over all joints, with 0 for invalid ones.
    var confidence: Float = 0

    /// The joint with the given index if it is valid.
    func validJoint(_ index: Int) -> Joint? {
        joints[index].flatMap { $0.isValid ? $0 : nil }
    }

    /// The pose normalised to the picture that was stretched to the model's input, origin at the lower left.
    ///
    /// Joints that are not valid have the confidence 0, so that none of them is drawn. Neck and root are the midpoints of
    /// shoulders and hips.
    func pose(inputSize: CGSize) -> Pose {
        var keypoints: [JointKey: JointPoint] = [:]
        func add(_ key: JointKey, _ position: SIMD2<Double>, _ confidence: Float) {
            let location = CGPoint(x: position.x / inputSize.width, y: 1 - position.y / inputSize.height)
            keypoints[key] = JointPoint(key, location: location, confidence: confidence)
        }
        func certainty(of joint: Joint) -> Float { joint.isValid ? joint.confidence : 0 }
        for case (let key, let joint?) in zip(PoseNetSkeleton.joints, joints) {
            add(key, joint.position, certainty(of: joint))
        }
        for (key, (a, b)) in PoseNetSkeleton.middles {
            guard let a = joints[a], let b = joints[b] else { continue }
            add(key, (a.position + b.position) / 2, min(certainty(of: a), certainty(of: b)))
        }
        return Pose(from: keypoints, keypoints3D: [:], id: nil, confidence: confidence)
    }
}

/// PoseNet's skeleton.
enum PoseNetSkeleton {
    /// The 17 joints in the order of the maps, which is COCO's.
    static let joints = COCOJoints.all

    /// The edges in the order of the displacement maps: a tree with the nose as its root.
    static let edges: [(parent: Int, child: Int)] = [
        (0, 1), (1, 3), (0, 2), (2, 4), (0, 5), (5, 7), (7, 9), (5, 11), (11, 13), (13, 15), (0, 6), (6, 8), (8, 10),
        (6, 12), (12, 14), (14, 16),
    ]

    /// A step along an edge to an adjacent joint.
    struct Step: Hashable {
        let edge: Int
        let target: Int
        /// Whether the step leads from parent to child.
        let isForward: Bool
    }

    /// The steps from each joint.
    static let steps: [[Step]] = joints.indices.map { joint in
        edges.enumerated().compactMap { index, edge in
            if edge.parent == joint { return Step(edge: index, target: edge.child, isForward: true) }
            return edge.child == joint ? Step(edge: index, target: edge.parent, isForward: false) : nil
        }
    }

    /// Vision's joints that are the midpoint of two PoseNet joints.
    static let middles: [(key: JointKey, between: (Int, Int))] = [(.neck, (5, 6)), (.root, (11, 12))]
}
