/// The catalogue of models; shapes and normalisation are those of MediaPipe's published graphs.
package enum ModelCatalogue {
    package static let all = bodies + hands + [faceDetector]

    static let bodies = [bodyDetector, bodyLandmarks]

    static let hands = [palmDetector, handLandmarks]

    /// Finds bodies in a picture of 224x224 pixels.
    package static let bodyDetector = ModelDescription(
        name: "body-detector", purpose: "detects bodies in a frame", file: "pose_detection.tflite",
        licence: "Apache-2.0", origin: "MediaPipe, Google (wheel mediapipe 0.10.21)",
        sha256: "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",
        input: .init(name: "input_1", shape: [1, 224, 224, 3], meaning: "RGB in -1...1, letterboxed"),
        outputs: [
            .init(name: "Identity", shape: [1, 2254, 12], meaning: "box and four keypoints for each anchor"),
            .init(name: "Identity_1", shape: [1, 2254, 1], meaning: "score before the logistic function"),
        ], mean: [127.5], scale: [127.5])

    /// Finds 33 landmarks of one body in a rotated square of 256x256 pixels.
    package static let bodyLandmarks = ModelDescription(
        name: "body-landmarks", purpose: "locates 33 landmarks of one body, in the image and in metres",
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

    /// Finds what `bodyLandmarks` does, and the pixels of the body.
    static let bodyMask = ModelDescription(
        name: "body-mask", purpose: "finds the pixels of one body", file: bodyLandmarks.file,
        licence: bodyLandmarks.licence, origin: bodyLandmarks.origin, sha256: bodyLandmarks.sha256,
        input: bodyLandmarks.input,
        outputs: bodyLandmarks.outputs + [
            .init(name: "Identity_2", shape: [1, 256, 256, 1], meaning: "logits of the body's pixels")
        ], mean: bodyLandmarks.mean, scale: bodyLandmarks.scale)

    /// Finds faces within about 5 m in a picture of 192x192 pixels.
    package static let faceDetector = ModelDescription(
        name: "face-detector", purpose: "detects faces to hide", file: "face_detection_full_range_sparse.tflite",
        licence: "Apache-2.0", origin: "MediaPipe, Google (wheel mediapipe 0.10.21)",
        sha256: "2c3728e6da56f21e21a320433396fb06d40d9088f2247c05e5635a688d45dfe1",
        input: .init(name: "input_1", shape: [1, 192, 192, 3], meaning: "RGB in -1...1, letterboxed"),
        outputs: [
            .init(name: "Identity", shape: [1, 2304, 16], meaning: "box and six keypoints for each anchor"),
            .init(name: "Identity_1", shape: [1, 2304, 1], meaning: "score before the logistic function"),
        ], mean: [127.5], scale: [127.5])

    /// Finds palms in a picture of 192x192 pixels.
    package static let palmDetector = ModelDescription(
        name: "palm-detector", purpose: "detects hands in a frame by their palms", file: "palm_detection_full.tflite",
        licence: "Apache-2.0", origin: "MediaPipe, Google (wheel mediapipe 0.10.21)",
        sha256: "1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54",
        input: .init(name: "input_1", shape: [1, 192, 192, 3], meaning: "RGB in 0...1, letterboxed"),
        outputs: [
            .init(name: "Identity", shape: [1, 2016, 18], meaning: "box and seven keypoints for each anchor"),
            .init(name: "Identity_1", shape: [1, 2016, 1], meaning: "score before the logistic function"),
        ], mean: [0], scale: [255])

    /// Finds 21 landmarks of one hand in a rotated square of 224x224 pixels.
    package static let handLandmarks = ModelDescription(
        name: "hand-landmarks", purpose: "locates 21 landmarks of one hand, in the image and in metres",
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
