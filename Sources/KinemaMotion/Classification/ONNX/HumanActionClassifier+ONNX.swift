public import Foundation
public import KinemaCore

/// A classifier as an ONNX model for other programs.
///
/// Its input is a window of poses as for Create ML's models; the graph handles gaps, outliers, position and size.
extension HumanActionClassifier {
    /// The name of the input, of shape 1 x frames x 3 x joints: x (normalised, times width / height), y up, and
    /// confidence; 0 for an unseen joint.
    package static let onnxInput = "poses"
    /// The name of the output, of shape 1 x classes: the probability of each class, in the order of the metadata `labels`.
    package static let onnxOutput = "labelProbabilities"

    /// The name of the output of shape 1: the distance from the training clips.
    package static let onnxStrangeness = "strangeness"
    package static let onnxProducer = "Kinema"

    /// The bytes of an ONNX model file (operators of version 13).
    ///
    /// Metadata has labels (one a line), joints, window, rate and subject. If the best probability is below
    /// `rejectionThreshold`, or `strangeness` is above `strangenessLimit`, the movement is none of the classes.
    package func onnxModel() -> Data {
        let joints = subject.joints
        let graph = ActionGraph(model: model)
        let poses = ONNXGraph.Port(
            name: Self.onnxInput, shape: [1, model.length, 3, joints.count],
            documentation: "x and y (one unit, y up) and confidence of each joint in each frame; 0 where not seen")
        let probabilities = ONNXGraph.Port(
            name: Self.onnxOutput, shape: [1, classes.count],
            documentation: "the probability of each class, in the order of the metadata labels")
        let strangeness = ONNXGraph.Port(
            name: Self.onnxStrangeness, shape: [1],
            documentation: "how unlike the training clips the movement is; none of the classes above strangenessLimit")
        graph.build(from: poses.name, to: (probabilities.name, strangeness.name))
        return Data(
            graph.onnx.model(
                named: "HumanActionClassifier", by: Self.onnxProducer,
                documentation: "An action classifier trained by Kinema.",
                inputs: [poses], outputs: [probabilities, strangeness],
                metadata: [
                    ("labels", classes.joined(separator: "\n")),
                    ("joints", joints.map(\.rawValue).joined(separator: "\n")), ("window", String(model.length)),
                    ("rate", String(model.rate)), ("subject", subject.rawValue),
                    ("rejectionThreshold", String(rejectionThreshold)),
                    ("strangenessLimit", String(model.strangeness)), ("coordinates", "heights"),
                    ("clipSharpness", String(clipSharpness)),
                ]))
    }

    /// The sharpening of the mean over a clip's windows, relative to one window.
    private var clipSharpness: Float {
        let window = model.windowCalibration.sharpness
        return window > 0 ? model.clipCalibration.sharpness / window : 1
    }

    /// Writes the model in ONNX to a file, completely or not at all. Throws `unwritableOutput`.
    public func writeONNX(to url: URL) throws(KinemaError) { try AtomicFile.write(onnxModel(), to: url) }
}
