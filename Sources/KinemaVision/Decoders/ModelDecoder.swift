import KinemaCore

/// A published layout of outputs: how to prepare a picture, where the outputs are, and their meaning. To add one, write
/// its file in this folder and list it in `allCases`.
package struct ModelDecoder: RawRepresentable, Hashable, Codable, CaseIterable, Sendable {
    /// The outputs of one inference, in the order of `find`.
    struct Outputs {
        let arrays: [ShapedArray<Float>]
        let input: ModelManifest.Input
        /// For a detector: the class that is a person.
        var personClass = 0
        /// The score below which a person is skipped.
        var minimumScore: Float = 0

        subscript(index: Int) -> ShapedArray<Float> { arrays[index] }
    }

    /// The detections of a model, in pixels of its input.
    enum Decode: Sendable {
        case boxes(@Sendable (Outputs) -> [DetectedBox])
        case joints(@Sendable (Outputs) -> DecodedJoints?)
        case people(@Sendable (Outputs) -> [DecodedJoints])
        case poseNet
    }

    /// The layouts, in the order in which a file without a description is compared with them.
    package static let allCases = [
        movenet, movenetMulti, rtmo, rtmdet, picodet, simcc, yoloPose, yolox, heatmap, posenet,
    ]

    /// The name in `model.json`.
    package let rawValue: String
    /// The width and height to use for a model that takes any size.
    let size: (width: Int, height: Int)
    let input: ModelManifest.Input
    /// The outputs that the decoder reads, by index, and the number of joints (0 for a detector); nil if none fit.
    let find: @Sendable (OutputShapes) -> (outputs: [Int], joints: Int)?
    let decode: Decode

    init(
        _ name: String, size: (width: Int, height: Int), input: ModelManifest.Input,
        find: @escaping @Sendable (OutputShapes) -> (outputs: [Int], joints: Int)?, decode: Decode
    ) {
        (rawValue, self.size, self.input, self.find, self.decode) = (name, size, input, find, decode)
    }

    package init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    package var kind: ModelManifest.Kind {
        switch decode {
        case .boxes: .detector
        case .joints: .topDown
        case .people, .poseNet: .oneStage
        }
    }

    /// ImageNet's mean and standard deviation in levels of 255, red first.
    static let imageNet: (mean: [Float], deviation: [Float]) = ([123.675, 116.28, 103.53], [58.395, 57.12, 57.375])
}

struct DecodedJoints: Sendable, Equatable {
    /// The positions, in pixels with the origin at the top left.
    var points: [SIMD2<Double>]
    /// The confidence of each, 0...1.
    var scores: [Float]
    /// The confidence that there is a person, 0...1, independent of the joints.
    var personScore: Float

    /// A joint with NaN is placed at the origin with zero confidence.
    init(points: [SIMD2<Double>], scores: [Float], personScore: Float) {
        self.points = points
        self.scores = scores.map { min(1, max(0, $0)) }
        self.personScore = min(1, max(0, personScore))
        if !self.personScore.isFinite { self.personScore = 0 }
        for index in points.indices
        where !(abs(points[index].x) < 1e6 && abs(points[index].y) < 1e6 && scores[index].isFinite) {
            (self.points[index], self.scores[index]) = (.zero, 0)
        }
    }

    /// Joints as x, y, confidence, each `stride` values apart.
    init(triples values: [Float], from start: Int, count: Int, stride: Int, score: Float) {
        self.init(
            points: (0..<count).map {
                SIMD2(Double(values[start + 3 * $0 * stride]), Double(values[start + (3 * $0 + 1) * stride]))
            }, scores: (0..<count).map { values[start + (3 * $0 + 2) * stride] }, personScore: score)
    }
}
