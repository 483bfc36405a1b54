@testable import KinemaLearning
@testable import KinemaPose
import Foundation
import KinemaTestSupport
import Testing

@testable import Kinema

/// Files that are no classifier, or say too little: refused in one line that says what to do.
struct NetworkRefusalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func expectRefused(
        _ bytes: [UInt8]?, _ words: String, labels: URL? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = folder.file("n.onnx")
        if let bytes { try Data(bytes).write(to: file) }
        var options = ActionClassifierOptions()
        options.labels = labels
        let error = #expect(throws: KinemaError.self, sourceLocation: sourceLocation) {
            try options.classifier(contentsOf: file)
        }
        let message = error?.message ?? ""
        #expect(error?.code == .unreadableInput, "\(message)", sourceLocation: sourceLocation)
        #expect(message.contains(words), "\(message)", sourceLocation: sourceLocation)
        #expect(!message.contains("\n") && message.utf8.count < 500, "\(message)", sourceLocation: sourceLocation)
    }

    @Test func `what is no onnx is refused`() throws {
        let good = TinyNetwork(shape: [1, 8, 54], places: [0, 1]).bytes
        try expectRefused(nil, "no such file")
        try expectRefused([], "is empty")
        try expectRefused(Array("{\"format\":\"kinema-action-classifier\"}".utf8), "not ONNX")
        try expectRefused(Array(good.dropLast(7)), "cut short")
        try expectRefused([UInt8](repeating: 0, count: 4096), "damaged")
        let whole = folder.file("n.onnx")
        try FileManager.default.removeItem(at: whole)
        try FileManager.default.createDirectory(at: whole, withIntermediateDirectories: true)
        try expectRefused(nil, "is not a file")
        try FileManager.default.removeItem(at: whole)
        #expect(FileManager.default.createFile(atPath: whole.path, contents: nil))
        #expect(truncate(whole.path, off_t(NeuralActionClassifier.maximumSize + 1)) == 0)
        try expectRefused(nil, "is larger than 256 MiB")
    }

    @Test(arguments: [
        ([1, 8, 3, 19], "is not a movement"), ([1, 3, 224, 224], "is not a movement"),
        ([2, 8, 54], "is not a movement"),
        ([1, 3, 18, 3], "is not a movement"), ([1, 20_000, 54], "is not a movement"), ([8, 54], "is not a movement"),
        ([1, 3, 8, 17, 3], "is not a movement"), ([1, -1, -1, 3], "is not a movement"),
    ])
    func `inputs that are no movement are refused with the shapes that are`(_ shape: [Int], _ words: String) throws {
        try expectRefused(TinyNetwork(shape: shape, places: [0, 1]).bytes, words)
        try expectRefused(TinyNetwork(shape: shape, places: [0, 1]).bytes, "1 x frames x 3 x joints")
    }

    @Test func `labels that do not fit are refused with their number`() throws {
        func network(_ labels: String?) -> [UInt8] {
            TinyNetwork(shape: [1, 8, 54], places: [0, 1, 2], metadata: labels.map { [("labels", $0)] } ?? []).bytes
        }
        try expectRefused(network(nil), "does not list its 3 classes; list them with --labels FILE")
        try expectRefused(network("a\nb"), "gives 3 numbers, but there are 2 labels")
        try expectRefused(network("a\nb\na"), "lists the class a twice")
        try expectRefused(network("a"), "lists 1 class;")
        try expectRefused(network("a\nb\u{1B}[2J\nc"), "hidden characters")
        try expectRefused(network(String(repeating: "x", count: 300) + "\nb\nc"), "longer than 256 bytes")
        let file = folder.file("labels.txt")
        try Data([0x61, 0x0A, 0xFF]).write(to: file)
        try expectRefused(network(nil), "is not text", labels: file)
        try expectRefused(network(nil), "no such file", labels: folder.file("other.txt"))
        try expectRefused(network(nil), "is not a file", labels: folder.url)
    }

    @Test(arguments: [
        ("rate", "0"), ("rate", "nan"), ("rate", "fast"), ("window", "1e9"), ("subject", "dog"),
        ("coordinates", "feet"),
        ("rejectionThreshold", "2"), ("strangenessLimit", "-1"), ("joints", "tail\nwing"), ("clipSharpness", "inf"),
    ])
    func `metadata that is none is refused by its name`(_ key: String, _ value: String) throws {
        try expectRefused(
            TinyNetwork(shape: [1, 8, 54], places: [0, 1], metadata: [("labels", "a\nb"), (key, value)]).bytes,
            "its metadata \(key) must be")
    }

    @Test func `a window of another length, numbers of another file and unknown operators are refused`() throws {
        let said = [("labels", "a\nb"), ("window", "9")]
        try expectRefused(
            TinyNetwork(shape: [1, 8, 54], places: [0, 1], metadata: said).bytes, "takes 8 frames, but its metadata")
        // A tensor whose place is a file (TensorProto.data_location 1, external_data).
        var (tensor, graph, model) = (ProtobufWriter(), ProtobufWriter(), ProtobufWriter())
        tensor.integer(2, 1)
        tensor.message(13) { entry in
            entry.text(1, "location")
            entry.text(2, "/etc/passwd")
        }
        tensor.integer(14, 1)
        graph.message(1) { $0.text(4, "Identity") }
        graph.data(5, tensor.bytes)
        model.integer(1, 8)
        model.data(7, graph.bytes)
        try expectRefused(model.bytes, "keeps numbers in another file")
        model.message(8) { $0.integer(2, 99) }
        let tensorless = model.bytes.suffix(4)
        var (later, plain) = (ProtobufWriter(), ProtobufWriter())
        plain.message(1) { $0.text(4, "Identity") }
        later.integer(1, 8)
        later.data(7, plain.bytes)
        try expectRefused(later.bytes + tensorless, "operators of version 99")
        let unknown = ONNXGraph()
        unknown.node("Flux", [unknown.value("x")], named: "y")
        let bytes = unknown.model(
            named: "n", by: "", documentation: "", inputs: [.init(name: "x", shape: [1, 8, 54], documentation: "")],
            outputs: [.init(name: "y", shape: [1, 2], documentation: "")], metadata: [("labels", "a\nb")])
        try expectRefused(bytes, "Flux")
    }

    @Test func `files with changed bytes are read or refused, in one line, and their graphs never lead beyond them`()
        throws
    {
        let own = try ActionTrainer().train(Figure.examples)
        let bytes = [UInt8](own.onnxModel())
        var state: UInt64 = 11
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var read = 0
        for round in 0..<2000 {
            var changed = round % 4 == 0 ? Array(bytes.prefix(random(bytes.count))) : bytes
            // The first and last bytes hold the structure, most others are weights.
            for _ in 0..<8 where !changed.isEmpty {
                let place =
                    random(2) == 0 ? random(changed.count) : changed.count - 1 - random(min(2000, changed.count))
                changed[place] = UInt8(truncatingIfNeeded: random(256))
            }
            do throws(KinemaError) {
                let header = try ONNXHeader(changed, file: "m.onnx")
                read += 1
                _ = try? ClassifierMetadata(header.metadata, file: "m.onnx")
            } catch {
                #expect(error.code == .unreadableInput && !error.message.contains("\n"))
            }
        }
        #expect((1..<1500).contains(read), "\(read) of 1500 whole files; those cut short are never read")
    }

    @Test func `the depth of nested graphs is limited`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            var graph = ProtobufWriter()
            graph.message(1) { node in
                node.text(4, "If")
                if depth > 0 { node.message(5) { $0.data(6, nested(depth - 1)) } }
            }
            return graph.bytes
        }
        func model(_ depth: Int) -> [UInt8] {
            var model = ProtobufWriter()
            model.integer(1, 8)
            model.data(7, nested(depth))
            return model.bytes
        }
        #expect(try ONNXHeader(model(4), file: "m").nodes == 5)
        #expect(throws: KinemaError.self) { try ONNXHeader(model(40), file: "m") }
    }

    @Test func `options of networks are refused with a classifier of kinema train`() throws {
        let file = folder.file("m.kinema")
        try ActionTrainer().train(Figure.examples).write(to: file)
        var options = ActionClassifierOptions()
        options.rate = 25
        let error = #expect(throws: KinemaError.self) { try options.classifier(contentsOf: file) }
        #expect(error?.code == .invalidArgument && error?.message.contains("leave them out") == true)
    }
}
