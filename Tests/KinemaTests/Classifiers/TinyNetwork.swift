@testable import KinemaMotion
@testable import KinemaLearning
import Foundation

@testable import Kinema

/// Writes classifiers in ONNX as others make them: two scores that are two numbers of the input, or numbers alone.
struct TinyNetwork {
    /// The input's shape.
    var shape: [Int]
    /// The places of the input, counted as in memory, whose values are the scores.
    var places: [Int]
    /// Whether scores become probabilities in the graph.
    var isSoft = false
    var metadata: [(String, String)] = [("labels", "a\nb")]
    var producer = "pytorch"

    /// The file's content.
    var bytes: [UInt8] {
        let graph = ONNXGraph()
        let scores = graph.value("x").reshape([1, -1]).gather(places, axis: 1)
        if isSoft {
            graph.node("Softmax", [scores], ["axis": .integer(1)], named: "y")
        } else {
            graph.node("Identity", [scores], named: "y")
        }
        return graph.model(
            named: "tiny", by: producer, documentation: "", inputs: [.init(name: "x", shape: shape, documentation: "")],
            outputs: [.init(name: "y", shape: [1, places.count], documentation: "")], metadata: metadata)
    }

    /// Writes the file.
    @discardableResult
    func write(to url: URL) throws -> URL {
        try Data(bytes).write(to: url)
        return url
    }
}

/// Two movements of a stick figure: waving one hand, and lifting both arms.
enum Figure {
    /// Somebody of some size and place; `person` varies how it is done.
    static func sequence(_ label: String, person: Int, seconds: Double = 4) -> PoseSequence {
        var sequence = PoseSequence(.body)
        let (size, place) = (1 + Float(person % 4) / 3, SIMD2(Float(person % 3) - 1, Float(person % 5) / 5))
        for index in 0..<Int(seconds * 30) {
            let angle = Float(person) + 2 * .pi * (0.8 + 0.08 * Float(person % 6)) * Float(index) / 30
            var points = standing
            if label == "wave" {
                points[4] = SIMD2(-0.5 + 0.2 * sin(angle), 0.6)
                points[3] = SIMD2(-0.6, 0.1)
            } else {
                for (elbow, wrist, side) in [(3, 4, Float(-1)), (6, 7, 1)] {
                    points[elbow] = SIMD2(side * 0.6, -0.4 + 0.25 * (1 + sin(angle)))
                    points[wrist] = SIMD2(side * 0.9, -0.8 + 0.6 * (1 + sin(angle)))
                }
            }
            let row = points.enumerated().flatMap { joint, point -> [Float] in
                let shake = 0.01 * sin(Float(index * (joint + 3) + person))
                let moved = point * size + place
                return [moved.x + shake, moved.y - shake, 0.9]
            }
            sequence.append(row, at: Double(index) / 30)
        }
        return sequence
    }

    /// The same with joints that are not seen for some time, and one that never is.
    static func damaged(_ label: String, person: Int, seconds: Double = 4) -> PoseSequence {
        let whole = sequence(label, person: person, seconds: seconds)
        var sequence = PoseSequence(.body)
        for (index, time) in whole.times.enumerated() {
            var row = Array(whole.points[index * 54..<(index + 1) * 54])
            if (20..<32).contains(index % 60) { row.replaceSubrange(12..<15, with: [0, 0, 0]) }
            if (5..<60).contains(index % 90) { row.replaceSubrange(27..<30, with: [0, 0, 0]) }
            row.replaceSubrange(51..<54, with: [0, 0, 0])
            sequence.append(row, at: time)
        }
        return sequence
    }

    static let examples = (0..<6).flatMap { person in
        ["lift", "wave"].map { label in
            ActionTrainer.Example(
                sequence(label, person: person), label: label, person: "\(person)", source: "\(label)\(person)")
        }
    }

    /// OpenPose's 18 joints of somebody who stands, neck at 0, 0, torso 1 long, y up.
    private static let standing: [SIMD2<Float>] = [
        [0, 0.35], [0, 0], [-0.35, 0], [-0.4, -0.45], [-0.4, -0.85], [0.35, 0], [0.4, -0.45], [0.4, -0.85],
        [-0.2, -1], [-0.2, -1.8], [-0.2, -2.5], [0.2, -1], [0.2, -1.8], [0.2, -2.5], [-0.06, 0.42], [0.06, 0.42],
        [-0.12, 0.38], [0.12, 0.38],
    ]
}
