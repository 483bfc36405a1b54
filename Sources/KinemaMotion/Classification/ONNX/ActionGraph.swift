import KinemaCore

/// Builds the graph of a classifier, step by step as `ActionModel.score` and `MotionWindow` go.
struct ActionGraph {
    typealias Value = ONNXGraph.Value

    let model: ActionModel
    var onnx = ONNXGraph()
    var length: Int { model.length }
    var joints: Int { model.subject.joints.count }

    init(_ model: ActionModel) { self.model = model }

    /// Adds everything from the input to the outputs.
    mutating func build(from input: String, to outputs: (probabilities: String, strangeness: String)) {
        let poses = onnx.reshape(Value(name: input), [length, 3, joints])
        let confidence = onnx.slice(poses, axis: 1, from: 2, to: 3)
        let isSeen = onnx.number(
            onnx.node("GreaterOrEqual", [confidence, onnx.scalar(PoseSequence.minimumConfidence)]))
        let sightings = onnx.sum(isSeen, axis: 0)
        let isPresent = onnx.number(
            onnx.node("GreaterOrEqual", [sightings, onnx.scalar(Float(MotionWindow.minimumSightings(of: length)))]))
        let filled = filled(onnx.slice(poses, axis: 1, from: 0, to: 2), isSeen)
        let body = normalised(steadied(filled), isPresent)
        let series = series(body)
        let features = standardised(features(series), model.ridge)
        var scores = linear(features, model.ridge)
        if let posture = model.posture {
            let other = linear(standardised(compared(body, posture.bank), posture.ridge), posture.ridge)
            scores = onnx.node(
                "Add",
                [
                    onnx.node("Mul", [scores, onnx.scalar(1 - posture.share)]),
                    onnx.node("Mul", [other, onnx.scalar(posture.share)]),
                ])
        }
        let sharp = onnx.node("Mul", [scores, onnx.scalar(model.windowCalibration.sharpness)])
        _ = onnx.node("Softmax", [sharp], [("axis", .integer(1))], named: outputs.probabilities)
        let squares = onnx.mean(onnx.node("Mul", [features, features]), axis: 1)
        _ = onnx.node("Reshape", [squares, onnx.constant([1])], named: outputs.strangeness)
    }
}
