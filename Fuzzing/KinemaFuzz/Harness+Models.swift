@testable import KinemaMotion
@testable import KinemaCounting
@testable import KinemaLearning
@testable import KinemaPose
import Foundation
@testable import Kinema
import KinemaCore

/// Files of models, classifiers and exercises.
extension Harness {
    /// Classifiers of `kinema train`; an accepted one classifies a movement.
    static let classifiers = Harness(name: "classifiers", maximumLength: 24576) {
        try [ActionSubject.hand, .body].map { subject in
            let url = folder.appending(path: "seed.kinema")
            try Classifier.tiny(subject).write(to: url)
            return [UInt8](try Data(contentsOf: url))
        }
    } body: { bytes in
        guard let classifier = try? HumanActionClassifier(contentsOf: file("a.kinema", bytes)) else { return }
        var sequence = PoseSequence(classifier.subject)
        for frame in 0..<12 {
            let row = (0..<classifier.subject.joints.count).flatMap { joint -> [Float] in
                [0.1 * Float(joint % 5), 0.07 * Float(joint + frame % 3), 0.9]
            }
            sequence.append(row, at: Double(frame) / 30)
        }
        guard let prediction = classifier.prediction(of: sequence) else { return }
        expect(prediction.labelProbabilities.count == classifier.classes.count, "each class has a probability")
    }

    /// A classifier's ONNX header: its messages, its metadata and the shape of its input.
    static let networks = Harness(name: "networks", maximumLength: 32768) {
        [[UInt8](Classifier.tiny(.body).onnxModel()), TinyNetwork.bytes]
    } body: { bytes in
        guard let header = try? ONNXHeader(bytes, file: "a.onnx") else { return }
        expect(header.nodes > 0, "a graph has nodes")
        guard let metadata = try? ClassifierMetadata(header.metadata, file: "a.onnx") else { return }
        let labels = metadata.labels ?? ["a", "b"]
        expect(Set(labels).count == labels.count && labels.count > 1, "class names are unique")
        let shape = bytes.suffix(5).map { Int($0 % 40) - 1 }
        guard let layout = ClassifierLayout(shape, joints: metadata.joints?.count, window: metadata.window),
            layout.frames <= 100
        else { return }
        var movement = PoseSequence(.body, joints: (0..<layout.joints).map { JointKey(rawValue: "\($0)") })
        for frame in 0..<layout.frames {
            movement.append([Float](repeating: 0.5, count: layout.joints * 3), at: Double(frame))
        }
        let input = layout.input(movement, metadata.coordinates ?? .image)
        expect(input.count == layout.shape.reduce(1, *), "an input has as many numbers as its shape")
    }

    /// TensorFlow Lite files, read, checked and rewritten with fewer outputs.
    static let tfliteFiles = Harness(name: "tflite", maximumLength: 16384) {
        var quantized = TinyPoseNet()
        (quantized.input, quantized.givesProbabilities, quantized.splitsDisplacements) = (.uint8, true, true)
        return [TinyPoseNet().bytes, quantized.bytes]
    } body: { bytes in
        let graph = TFLiteGraph(bytes, file: "a.tflite")
        _ = (try? graph.inputs(), try? graph.checkBuffers())
        if let name = (try? graph.outputs())?.first?.name, let kept = try? graph.keeping(outputs: [name]) {
            expect(kept.count == bytes.count, "a file keeps its length")
            expect((try? TFLiteGraph(kept, file: "b").outputs().count) ?? 1 == 1, "one output is left")
        }
        _ = try? PoseNetModel(contentsOf: file("a.tflite", bytes))
    }

    /// Descriptions of chosen models (`model.json`).
    static let modelDescriptions = Harness(name: "model-descriptions", maximumLength: 4096) {
        [
            #"{"name":"a","file":"a.onnx","decoder":"simcc","joints":"coco17","input":{"width":192,"height":256,"mean":[123.7,116.3,103.5],"scale":[58.4,57.1,57.4],"fit":"crop","padding":1.25},"detector":"rtmdet","licence":"Apache-2.0"}"#,
            #"{"name":"b","file":"b.xml","decoder":"picodet","kind":"detector","personClass":0,"input":{"border":114,"channels":"bgr"}}"#,
            #"{"name":"c","file":"c.tflite","decoder":"movenet","joints":["nose","left_eye","right_eye","left_hip"],"address":"https://a/b","sha256":"00"}"#,
        ].map(bytes)
    } body: { bytes in
        guard let manifest = try? ModelManifest.read(Data(bytes), file: URL(filePath: "model.json")) else { return }
        let isPlain = ModelManifest.isName(manifest.name) && !manifest.file.utf8.contains(UInt8(ascii: "/"))
        expect(isPlain, "a model's name is not a path")
        let parts = manifest.detector?.utf8.split(separator: UInt8(ascii: "/")) ?? []
        expect(!parts.contains { $0.elementsEqual("..".utf8) }, "a detector lies below the model's folder")
    }

    /// Files of exercises.
    static let exerciseFiles = Harness(name: "exercises", maximumLength: 8192) {
        let encoder = JSONEncoder()
        return try ExerciseLibrary.all.prefix(4).map { [UInt8](try encoder.encode($0)) }
    } body: { bytes in
        guard let exercises = try? ExerciseLibrary.read(Data(bytes), file: "a.json") else { return }
        guard let first = exercises.first, let text = try? JSONEncoder().encode(first) else { return }
        expect((try? ExerciseLibrary.read(text, file: "b.json")) != nil, "what is read can be written")
    }
}

/// A network as other programs make it, with metadata of every kind and a graph inside a node.
enum TinyNetwork {
    static var bytes: [UInt8] {
        let graph = ONNXGraph()
        _ = graph.value("x").reshape([1, -1]).gather([0, 1], axis: 1)
        let inner = ProtobufWriter.message { inner in
            inner.message(1) { $0.text(4, "Identity") }
            inner.message(5) { $0.integer(1, 4) }
        }
        let metadata = [
            ("labels", #"["up","down"]"#), ("joints", "nose\nleftWrist\nright_wrist\npelvis"), ("window", "12"),
            ("rate", "15"), ("subject", "body"), ("rejectionThreshold", "0.5"), ("coordinates", "image"),
            ("clipSharpness", "1.5"),
        ]
        let model = graph.model(
            named: "n", by: "pytorch", documentation: "",
            inputs: [.init(name: "x", shape: [1, 12, 12], documentation: "")],
            outputs: [.init(name: "y", shape: [1, 2], documentation: "")], metadata: metadata)
        let branch = ProtobufWriter.message { graph in
            graph.message(1) { node in
                node.text(4, "If")
                node.message(5) { $0.data(6, inner) }
            }
        }
        // A message given twice is merged, so the second graph adds its nodes.
        return model + ProtobufWriter.message { $0.data(7, branch) }
    }
}

extension ProtobufWriter {
    /// The bytes of a message.
    fileprivate static func message(_ fill: (inout ProtobufWriter) -> Void) -> [UInt8] {
        var message = ProtobufWriter()
        fill(&message)
        return message.bytes
    }
}

/// A minimal classifier.
enum Classifier {
    static func tiny(_ subject: ActionSubject) -> HumanActionClassifier {
        let joints = subject.joints.count
        let bank = FeatureBank(units: 2, channels: 2 * joints + subject.links.count, length: 8, seed: 1)
        let ridge = RidgeClassifier(
            centre: [Float](repeating: 0, count: bank.count), factor: [Float](repeating: 1, count: bank.count),
            weights: (0..<2).map { row in (0..<bank.count).map { Float($0 % 3 == row ? 1 : 0) } }, bias: [0, 0])
        let model = ActionModel(
            subject: subject, classes: ["a", "b"], length: 8, rate: 30,
            usual: [SIMD2<Float>](repeating: .zero, count: joints), bank: bank, ridge: ridge)
        let summary = TrainingSummary(clips: ["a": 2, "b": 2], windows: 4, groups: 2, seed: 1)
        return HumanActionClassifier(model: model, summary: summary)
    }
}
