public import Foundation
public import KinemaCore
public import KinemaMotion

/// What the file of a neural network does not say of itself, or says wrongly.
public struct ActionClassifierOptions: Sendable, Hashable {
    /// A file with the classes, one a line; nil for what the network's file says, or the file NAME.labels.txt beside it.
    public var labels: URL?
    /// What positions are measured in; nil for what the file says, or for what is usual for its shape.
    public var coordinates: PoseCoordinates?
    /// Frames a second; nil for what the file says, or 30.
    public var rate: Double?

    /// Leaves everything to the file.
    public init() {}

    /// The labels of a file; nil where there is none.
    func labels(beside url: URL) throws(KinemaError) -> [String]? {
        if let labels { return try ClassifierMetadata.labels(contentsOf: labels) }
        let beside = url.deletingPathExtension().appendingPathExtension("labels.txt")
        guard FileManager.default.fileExists(atPath: beside.path) else { return nil }
        return try ClassifierMetadata.labels(contentsOf: beside)
    }

    /// Reads a classifier: a neural network from an `.onnx` file, or one that `kinema train` wrote.
    ///
    /// Throws `.unreadableInput` in one line for a file that is neither, `.invalidArgument` for options of networks with
    /// another, `.missingComponent` when a network needs the inference library and it is not installed.
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
