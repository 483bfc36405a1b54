import KinemaCore

/// A published layout of outputs: how its makers prepare a picture, where the outputs are, and what they mean. Each
/// layout is one file in this folder. To add one, write its file and list it in `allCases`.
package struct ModelDecoder: RawRepresentable, Hashable, Codable, CaseIterable, Sendable {
    /// The outputs of one inference, in the order of `find`.
    struct Outputs {
        let arrays: [ShapedArray<Float>]
        /// How the picture was prepared.
        let input: ModelManifest.Input
        /// For a detector: the class that is a person.
        var personClass = 0
        /// The score below which a person is skipped.
        var minimumScore: Float = 0

        subscript(index: Int) -> ShapedArray<Float> { arrays[index] }
    }

    /// What a model finds, in pixels of its input.
    enum Decode: Sendable {
        /// The boxes of people.
        case boxes(@Sendable (Outputs) -> [DetectedBox])
        /// The joints of one person in a part of the picture.
        case joints(@Sendable (Outputs) -> DecodedJoints?)
        /// The joints of everyone in the whole picture.
        case people(@Sendable (Outputs) -> [DecodedJoints])
        /// Maps that `PoseNetDetector` reads.
        case poseNet
    }

    /// The layouts, in the order in which a file without description is compared with them.
    package static let allCases = [
        movenet, movenetMulti, rtmo, rtmdet, picodet, simcc, yoloPose, yolox, heatmap, posenet,
    ]

    /// The name in `model.json`.
    package let rawValue: String
    /// The width and height to use for a model that takes any size.
    let size: (width: Int, height: Int)
    /// How the makers' own programs prepare the input.
    let input: ModelManifest.Input
    /// The outputs that the decoder reads, by their place among the model's, and the number of joints (0 for a detector);
    /// nil for another layout.
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

    /// What models with this decoder do.
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
