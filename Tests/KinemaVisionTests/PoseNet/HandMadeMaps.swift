@testable import KinemaPose
import Foundation

/// PoseNet's maps made by hand: people placed joint by joint, with offsets and displacements that lead there exactly.
struct HandMadeMaps {
    let width: Int
    let height: Int
    let stride = 16
    private(set) var heatmap: [Float]
    private(set) var offsets: [Float]
    private(set) var forward: [Float]
    private(set) var backward: [Float]

    init(width: Int = 20, height: Int = 20) {
        (self.width, self.height) = (width, height)
        heatmap = Array(repeating: 0, count: width * height * 17)
        offsets = Array(repeating: 0, count: width * height * 34)
        forward = Array(repeating: 0, count: width * height * 32)
        backward = Array(repeating: 0, count: width * height * 32)
    }

    /// A figure of 17 joints around a middle, in pixels: 96 wide, 160 high.
    static func figure(at middle: SIMD2<Double>, scale: Double = 1) -> [SIMD2<Double>] {
        let rows: [(Double, Double)] = [
            (0, -80), (6, -86), (-6, -86), (14, -82), (-14, -82), (30, -50), (-30, -50), (42, -20), (-42, -20),
            (48, 10), (-48, 10), (18, 10), (-18, 10), (20, 45), (-20, 45), (20, 80), (-20, 80),
        ]
        return rows.map { middle + SIMD2($0.0, $0.1) * scale }
    }

    private func index(_ x: Int, _ y: Int) -> Int { y * width + x }

    /// How likely a joint is in a cell.
    mutating func set(_ joint: Int, _ x: Int, _ y: Int, to confidence: Float) {
        heatmap[index(x, y) * 17 + joint] = confidence
    }

    /// The way from a cell to a joint, in pixels.
    mutating func setOffset(_ joint: Int, _ x: Int, _ y: Int, to way: SIMD2<Double>) {
        offsets[index(x, y) * 34 + joint] = Float(way.y)
        offsets[index(x, y) * 34 + 17 + joint] = Float(way.x)
    }

    /// Places a person: cells within two strides of a joint know the way to it, cells at a joint the way to the next.
    mutating func place(_ joints: [SIMD2<Double>], confidences: [Float] = Array(repeating: 0.9, count: 17)) {
        for (joint, place) in joints.enumerated() {
            forEachCell(near: place) { maps, x, y, way in
                let distance = (way * way).sum().squareRoot()
                let confidence = confidences[joint] * Float(max(0, 1 - distance / 64))
                guard confidence > maps.heatmap[maps.index(x, y) * 17 + joint] else { return }
                maps.set(joint, x, y, to: confidence)
                maps.setOffset(joint, x, y, to: way)
                for step in PoseNetSkeleton.steps[joint] {
                    let along = joints[step.target] - joints[joint]
                    maps.setDisplacement(step, x, y, to: along)
                }
            }
        }
    }

    mutating func setDisplacement(_ step: PoseNetSkeleton.Step, _ x: Int, _ y: Int, to way: SIMD2<Double>) {
        let start = index(x, y) * 32 + step.edge
        if step.isForward {
            (forward[start], forward[start + 16]) = (Float(way.y), Float(way.x))
        } else {
            (backward[start], backward[start + 16]) = (Float(way.y), Float(way.x))
        }
    }

    private mutating func forEachCell(
        near place: SIMD2<Double>, _ body: (inout Self, Int, Int, SIMD2<Double>) -> Void
    ) {
        for y in 0..<height {
            for x in 0..<width {
                let way = place - SIMD2(Double(x), Double(y)) * Double(stride)
                if abs(way.x) <= 32, abs(way.y) <= 32 { body(&self, x, y, way) }
            }
        }
    }

    func output() throws -> PoseNetOutput {
        try PoseNetOutput(
            prediction: PoseNetPrediction(
                heatmap: heatmap, offsets: offsets, displacementFwd: forward, displacementBwd: backward,
                gridWidth: width, gridHeight: height),
            modelInputSize: CGSize(width: (width - 1) * stride + 1, height: (height - 1) * stride + 1),
            modelOutputStride: stride)
    }

    func builder(_ change: (inout PoseBuilderConfiguration) -> Void = { _ in }) throws -> PoseBuilder {
        var configuration = PoseBuilderConfiguration()
        change(&configuration)
        return try PoseBuilder(output: output(), configuration: configuration)
    }
}
