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
