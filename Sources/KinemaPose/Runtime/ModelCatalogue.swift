import KinemaSampling
import Foundation
import KinemaCore
package import KinemaMedia

/// The catalogue of models; shapes and normalisation are those of MediaPipe's published graphs.
package enum ModelCatalogue {
    package static let all = bodies + hands + faceDetectors

    static let bodies = [bodyDetector, bodyLandmarks]

    static let hands = [palmDetector, handLandmarks]

    /// Finds bodies in a picture of 224x224 pixels.
    package static let bodyDetector = model(
        "body-detector", "detects bodies in a frame", file: "pose_detection",
        sha256: "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c", side: 224, "letterboxed",
        isSigned: true,
        outputs: [
            ("Identity", [2254, 12], "box and four keypoints for each anchor"), ("Identity_1", [2254, 1], score),
        ])

    /// Finds 33 landmarks of one body in a rotated square of 256x256 pixels.
    package static let bodyLandmarks = bodyModel(
        "body-landmarks", "locates 33 landmarks of one body, in the image and in metres", further: [])

    /// Finds what `bodyLandmarks` does, and the pixels of the body.
    static let bodyMask = bodyModel(
        "body-mask", "finds the pixels of one body",
        further: [("Identity_2", [256, 256, 1], "logits of the body's pixels")])

    /// Finds faces within about 5 m in a picture of 192x192 pixels.
    package static let faceDetector = model(
        "face-detector", "detects faces to hide", file: "face_detection_full_range_sparse",
        sha256: "2c3728e6da56f21e21a320433396fb06d40d9088f2247c05e5635a688d45dfe1", side: 192, "letterboxed",
        isSigned: true,
        outputs: [
            ("Identity", [2304, 16], "box and six keypoints for each anchor"), ("Identity_1", [2304, 1], score),
        ])

    /// Finds faces within about 2 m in a picture of 128x128 pixels.
    static let nearFaceDetector = model(
        "near-face-detector", "detects near faces to hide", file: "face_detection_short_range",
        sha256: "bbff11cebd1eb27a1e004cae0b0e63ec8c551cbf34a4451148b4908b8db3eca8", side: 128, "letterboxed",
        isSigned: true, input: "input",
        outputs: [
            ("regressors", [896, 16], "box and six keypoints for each anchor"), ("classificators", [896, 1], score),
        ])

    static let faceDetectors = [faceDetector, nearFaceDetector]

    /// Finds palms in a picture of 192x192 pixels.
    package static let palmDetector = model(
        "palm-detector", "detects hands in a frame by their palms", file: "palm_detection_full",
        sha256: "1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54", side: 192, "letterboxed",
        outputs: [
            ("Identity", [2016, 18], "box and seven keypoints for each anchor"), ("Identity_1", [2016, 1], score),
        ])

    /// Finds 21 landmarks of one hand in a rotated square of 224x224 pixels.
    package static let handLandmarks = model(
        "hand-landmarks", "locates 21 landmarks of one hand, in the image and in metres", file: "hand_landmark_full",
        sha256: "11c272b891e1a99ab034208e23937a8008388cf11ed2a9d776ed3d01d0ba00e3", side: 224, "the hand's region",
        outputs: [
            ("Identity", [63], "21 x (x, y, z) in pixels of the input"),
            ("Identity_1", [1], "probability that there is a hand"),
            ("Identity_2", [1], "which hand, as a probability"), ("Identity_3", [63], "21 x (x, y, z) in metres"),
        ])

    private static let score = "score before the logistic function"

    private typealias Output = (name: String, shape: [Int], meaning: String)

    private static func bodyModel(_ name: String, _ purpose: String, further: [Output]) -> ModelDescription {
        model(
            name, purpose, file: "pose_landmark_full",
            sha256: "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f", side: 256,
            "the person's region",
            outputs: [
                ("Identity", [195], "39 x (x, y, z, visibility, presence)"),
                ("Identity_1", [1], "probability that there is a person"),
                ("Identity_3", [64, 64, 39], "heatmap logits"), ("Identity_4", [117], "39 x (x, y, z) in metres"),
            ] + further)
    }

    /// A model whose input is `part` of a picture, RGB in 0...1, or in -1...1 if it is signed.
    private static func model(
        _ name: String, _ purpose: String, file: String, sha256: String, side: Int, _ part: String,
        isSigned: Bool = false, input: String = "input_1", outputs: [Output]
    ) -> ModelDescription {
        ModelDescription(
            name: name, purpose: purpose, file: file + ".tflite", licence: "Apache-2.0",
            origin: "MediaPipe, Google (wheel mediapipe 0.10.21)", sha256: sha256,
            input: .init(
                name: input, shape: [1, side, side, 3], meaning: "RGB in \(isSigned ? -1 : 0)...1, \(part)"),
            outputs: outputs.map { .init(name: $0.name, shape: [1] + $0.shape, meaning: $0.meaning) },
            mean: [isSigned ? 127.5 : 0], scale: [isSigned ? 127.5 : 255])
    }
}

package struct ModelDescription: Sendable, Hashable, Codable {
    package struct Tensor: Sendable, Hashable, Codable {
        package let name: String
        package let shape: [Int]
        package let meaning: String
    }

    /// The name used by the command line and in errors.
    package let name: String
    package let purpose: String
    package let file: String
    package let licence: String
    /// The publisher and the source of the file.
    package let origin: String
    /// The SHA-256 of the published file, in hexadecimal.
    package let sha256: String
    package let input: Tensor
    /// The output tensors that Kinema uses; all others are removed from the graph.
    package let outputs: [Tensor]
    /// The mean for normalising a picture's bytes, (byte - mean) / scale: one, or one for each channel.
    let mean: [Float]
    /// The scale for normalising a picture's bytes: one, or one for each channel.
    let scale: [Float]
    /// The user's own file; nil for a file in the models folder.
    var location: URL?
    /// Whether outputs leave the graph as floating point; 8-bit steps are not scaled.
    var hasFloatOutputs = false
    /// Whether the graph takes floats instead of a picture.
    var takesFloats = false
    /// Whether the graph takes one plane for each channel (NCHW).
    var isPlanar = false
    /// Whether the graph takes blue first.
    var isBlueFirst = false
    var isDynamic = false
    /// The outputs' indices in a graph that is kept whole; nil to find them by name and remove all others.
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

/// The inputs of the landmark models, as RGB bytes, for calibration by `script/quantise`. Each region appears as
/// detected and as tracked.
package struct LandmarkInputs {
    package let model: ModelDescription
    private let sampler: CompiledModelHandle
    private let regions: (VideoFrame) throws -> [Region]

    private static let mostOfFrame = 3

    /// The inputs of the body landmarks, or of the hand landmarks; always in 32 bits.
    package init(hands: Bool, store: ModelStore = .shared) throws {
        model = hands ? ModelCatalogue.handLandmarks : ModelCatalogue.bodyLandmarks
        sampler = try store.model(model, precision: .f32)
        if hands {
            let search = HandSearch(
                detector: try .palms(store: store, precision: .f32),
                landmarker: try HandLandmarker(store: store, precision: .f32))
            regions = { frame in
                try search.hands(in: frame, maximumCount: Self.mostOfFrame).flatMap {
                    [$0.region, $0.nextRegion, $0.closeUpRegion]
                }
            }
        } else {
            let detector = try AnchorDetector.bodies(store: store, precision: .f32)
            let landmarker = try BodyLandmarker(store: store, precision: .f32)
            regions = { frame in
                try detector.detect(in: frame).prefix(Self.mostOfFrame).flatMap { found in
                    let first = Region(middle: found.keypoints[0], rim: found.keypoints[1])
                    let body = try landmarker.body(in: frame, first, isTracked: false)
                    return [first] + (body.map { [Region(middle: $0.middle, rim: $0.rim)] } ?? [])
                }
            }
        }
    }

    /// The inputs in a frame, each the model's side x side x RGB bytes, top row first.
    package func inputs(of frame: VideoFrame) throws -> [[UInt8]] {
        try regions(frame).filter { $0.isValid(for: frame.size) }.map { region in
            try sampler.withRequest { request in
                RegionSampler.sample(frame, region, into: request.input, side: model.input.shape[1], border: .repeated)
                return Array(request.input)
            }
        }
    }
}
