public import Foundation
public import KinemaCore
public import KinemaMotion

/// Options that override the metadata of a neural network's file.
public struct ActionClassifierOptions: Sendable, Hashable {
    /// A file with the classes, one a line; nil for the network's own, or those in NAME.labels.txt beside it.
    public var labels: URL?
    /// The coordinate system of positions; nil for the file's own, or the usual one for its shape.
    public var coordinates: PoseCoordinates?
    /// Frames a second; nil for the file's own, or 30.
    public var rate: Double?

    /// Creates options that override nothing.
    public init() {}

    func labels(beside url: URL) throws(KinemaError) -> [String]? {
        if let labels { return try ClassifierMetadata.labels(contentsOf: labels) }
        let beside = url.deletingPathExtension().appendingPathExtension("labels.txt")
        guard FileManager.default.fileExists(atPath: beside.path) else { return nil }
        return try ClassifierMetadata.labels(contentsOf: beside)
    }

    /// Reads a classifier: a neural network from an `.onnx` file, or one that `kinema train` wrote.
    ///
    /// Throws `.unreadableInput` for any other file, `.invalidArgument` for network options with it,
    /// `.missingComponent` when a network needs the inference library and it is not installed.
    public func classifier(contentsOf url: URL) throws(KinemaError) -> any ActionClassifier {
        guard url.pathExtension.lowercased() != "onnx" else {
            return try NeuralActionClassifier(contentsOf: url, options: self)
        }
        guard self == ActionClassifierOptions() else {
            throw KinemaError(
                .invalidArgument, "labels, coordinates and rate are for classifiers in ONNX (.onnx); leave them out",
                file: url.path)
        }
        return try HumanActionClassifier(contentsOf: url)
    }
}

/// The coordinate system of the positions that a neural network takes.
public enum PoseCoordinates: String, Sendable, Hashable, CaseIterable {
    /// Both in heights of the frame, y up: used by Kinema's own classifiers, without conversion.
    case heights
    /// 0...1 of the frame's width and height, y up: used by Create ML and Vision.
    case vision
    /// 0...1 of the frame's width and height, y down: used by MediaPipe and YOLO.
    case image
    /// -1...1 of the frame's width and height, y down, the frame's middle at 0: used by MMAction2.
    case centred

    /// Converts a position of a sequence to the network's coordinates.
    func position(_ x: Float, _ y: Float, in picture: PoseSequence.Picture) -> (x: Float, y: Float) {
        let share = x / picture.width
        switch self {
        case .heights: return (x, y)
        case .vision: return (share, 1 - (picture.top - y))
        case .image: return (share, picture.top - y)
        case .centred: return (2 * share - 1, 2 * (picture.top - y) - 1)
        }
    }
}
