import Foundation
import KinemaCore

/// A description of a neural model: one from the catalogue or a user's own.
public struct ModelDescription: Sendable, Hashable, Codable {
    /// A tensor's name and shape.
    public struct Tensor: Sendable, Hashable, Codable {
        /// The name in the graph.
        public let name: String
        /// The shape, batch first.
        public let shape: [Int]
        /// The meaning of the values.
        public let meaning: String
    }

    /// The name used by the command line and in errors.
    public let name: String
    /// What the model finds.
    public let purpose: String
    /// The file name in the models folder.
    public let file: String
    /// The licence as an SPDX identifier.
    public let licence: String
    /// The publisher and the source of the file.
    public let origin: String
    /// The SHA-256 of the published file, in hexadecimal.
    public let sha256: String
    /// The input tensor.
    public let input: Tensor
    /// The output tensors that Kinema uses; all others are removed from the graph.
    public let outputs: [Tensor]
    /// The mean for normalising a picture's bytes, (byte - mean) / scale: one, or one for each channel.
    let mean: [Float]
    /// The scale for normalising a picture's bytes: one, or one for each channel.
    let scale: [Float]
    /// The user's own file; nil for a file in the models folder.
    var location: URL?
    /// Whether outputs leave the graph as floating point whatever they are inside; 8-bit steps are not scaled.
    var hasFloatOutputs = false
    /// Whether the graph takes floats as they are instead of a picture.
    var takesFloats = false
    /// Whether the graph takes one plane for each channel (NCHW).
    var isPlanar = false
    /// Whether the graph takes blue first.
    var isBlueFirst = false
    /// Whether the input's shape must be set, since it is not fixed in the file.
    var isDynamic = false
    /// The outputs' places in the graph, which then stays whole and may give another shape at each run; nil to find them
    /// by name and remove all others.
    var outputPlaces: [Int]?
}

extension ModelDescription {
    /// The error for a bad model file: published files can be fetched again, others must be replaced.
    func error(_ reason: String, _ file: URL? = nil) -> KinemaError {
        let path = (location ?? file)?.path ?? self.file
        return location == nil
            ? KinemaError(.missingComponent, "\(reason); \(KinemaHome.remedy)", file: path)
            : KinemaError(.unreadableInput, "\(reason); choose another model", file: path)
    }
}

/// The catalogue of models; shapes and normalisation are those of MediaPipe's published graphs.
public enum ModelCatalogue {
    /// All models, in the order of their use.
    public static let all = bodies + hands

    /// The models that find bodies.
    static let bodies = [bodyDetector, bodyLandmarks]

    /// The models that find hands.
    static let hands = [palmDetector, handLandmarks]

    /// Finds bodies in a picture of 224x224 pixels.
    public static let bodyDetector = ModelDescription(
        name: "body-detector", purpose: "finds bodies in a picture", file: "pose_detection.tflite",
        licence: "Apache-2.0", origin: "MediaPipe, Google (wheel mediapipe 0.10.21)",
        sha256: "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",
        input: .init(name: "input_1", shape: [1, 224, 224, 3], meaning: "RGB in -1...1, letterboxed"),
        outputs: [
            .init(name: "Identity", shape: [1, 2254, 12], meaning: "box and four keypoints for each anchor"),
            .init(name: "Identity_1", shape: [1, 2254, 1], meaning: "score before the logistic function"),
        ], mean: [127.5], scale: [127.5])

    /// Finds 33 landmarks of one body in a rotated square of 256x256 pixels.
    public static let bodyLandmarks = ModelDescription(
        name: "body-landmarks", purpose: "finds 33 landmarks of one body, in the picture and in metres",
        file: "pose_landmark_full.tflite",
        licence: "Apache-2.0", origin: "MediaPipe, Google (wheel mediapipe 0.10.21)",
        sha256: "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f",
        input: .init(name: "input_1", shape: [1, 256, 256, 3], meaning: "RGB in 0...1, the person's region"),
        outputs: [
            .init(name: "Identity", shape: [1, 195], meaning: "39 x (x, y, z, visibility, presence)"),
            .init(name: "Identity_1", shape: [1, 1], meaning: "probability that there is a person"),
            .init(name: "Identity_3", shape: [1, 64, 64, 39], meaning: "heatmap logits"),
            .init(name: "Identity_4", shape: [1, 117], meaning: "39 x (x, y, z) in metres"),
        ], mean: [0], scale: [255])

    /// Finds palms in a picture of 192x192 pixels.
    public static let palmDetector = ModelDescription(
        name: "palm-detector", purpose: "finds hands in a picture by their palms", file: "palm_detection_full.tflite",
        licence: "Apache-2.0", origin: "MediaPipe, Google (wheel mediapipe 0.10.21)",
        sha256: "1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54",
        input: .init(name: "input_1", shape: [1, 192, 192, 3], meaning: "RGB in 0...1, letterboxed"),
        outputs: [
            .init(name: "Identity", shape: [1, 2016, 18], meaning: "box and seven keypoints for each anchor"),
            .init(name: "Identity_1", shape: [1, 2016, 1], meaning: "score before the logistic function"),
        ], mean: [0], scale: [255])

    /// Finds 21 landmarks of one hand in a rotated square of 224x224 pixels.
    public static let handLandmarks = ModelDescription(
        name: "hand-landmarks", purpose: "finds 21 landmarks of one hand, in the picture and in metres",
        file: "hand_landmark_full.tflite",
        licence: "Apache-2.0", origin: "MediaPipe, Google (wheel mediapipe 0.10.21)",
        sha256: "11c272b891e1a99ab034208e23937a8008388cf11ed2a9d776ed3d01d0ba00e3",
        input: .init(name: "input_1", shape: [1, 224, 224, 3], meaning: "RGB in 0...1, the hand's region"),
        outputs: [
            .init(name: "Identity", shape: [1, 63], meaning: "21 x (x, y, z) in pixels of the input"),
            .init(name: "Identity_1", shape: [1, 1], meaning: "probability that there is a hand"),
            .init(name: "Identity_2", shape: [1, 1], meaning: "which hand, as a probability"),
            .init(name: "Identity_3", shape: [1, 63], meaning: "21 x (x, y, z) in metres"),
        ], mean: [0], scale: [255])
}
