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
