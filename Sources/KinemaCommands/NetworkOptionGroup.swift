import ArgumentParser
import Foundation
import Kinema

/// The options that complete a neural network's file.
struct NetworkOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The classes of a classifier in ONNX, one per line in the order of its output. (default: from the model)",
            valueName: "file"))
    var labels: String?

    @Option(
        help: """
            The coordinates of a classifier in ONNX: heights (of the frame, y up), vision (0 to 1, y up), image \
            (0 to 1, y down) or centred (-1 to 1, y down). (default: from the model, or by its shape)
            """)
    var coordinates: PoseCoordinates?

    @Option(help: "Frames per second of the window of a classifier in ONNX. (default: from the model, or 30)")
    var windowRate: Double?

    func validate() throws { try require(windowRate, in: 1...1000, "--window-rate") }

    func classifier(_ path: String) throws -> any ActionClassifier {
        var options = ActionClassifierOptions()
        options.labels = labels.map { URL(filePath: $0) }
        (options.coordinates, options.rate) = (coordinates, windowRate)
        return try options.classifier(contentsOf: URL(filePath: path))
    }
}
