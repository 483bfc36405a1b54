@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

/// Models by their description or by their shapes alone, and everything that is none.
struct ChosenModelTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(
        _ shapes: [[Int]], input: [Int] = [1, 3, 256, 192], inputs: Int = 1
    ) throws -> URL {
        let outputs = shapes.enumerated().map { index, shape in
            TinyModels.Output(
                name: "out\(index)", shape: shape, values: [Float](repeating: 0.5, count: shape.reduce(1, *)))
        }
        let url = folder.file("net.xml")
        try TinyModels.writeIR(url, input: input, outputs: outputs, inputs: inputs)
        return url
    }

    private func describe(_ text: String) throws -> URL {
        let url = folder.file("model.json")
        try Data(text.utf8).write(to: url)
        return url
    }

    private func refusal(_ url: URL) -> String? {
        do throws(KinemaError) {
            _ = try ChosenModel(contentsOf: url)
            return nil
        } catch {
            #expect(error.code == .unreadableInput && error.file != nil)
            #expect(!error.description.contains("\n") && error.description.utf8.count < 700, "\(error)")
            return error.description
        }
    }

    @Test(arguments: [
        ([[1, 17, 64, 48]], [1, 3, 256, 192], ModelDecoder.heatmap), ([[1, 133, 64, 48]], [1, 3, 256, 192], .heatmap),
        ([[1, 17, 64, 48], [1, 17]], [1, 3, 256, 192], .heatmap),
        ([[1, 26, 384], [1, 26, 512]], [1, 3, 256, 192], .simcc),
        ([[1, 17, 512], [1, 17, 384]], [1, 3, 256, 192], .simcc),
        ([[1, 2125, 4], [1, 1, 2125]], [1, 3, 320, 320], .picodet),
        ([[1, 100, 5], [1, 100]], [1, 3, 320, 320], .rtmdet),
        ([[1, 3549, 85]], [1, 3, 416, 416], .yolox), ([[1, 56, 2100]], [1, 3, 320, 320], .yoloPose),
        ([[1, 20, 5], [1, 20, 17, 3]], [1, 3, 320, 320], .rtmo), ([[1, 1, 17, 3]], [1, 192, 192, 3], .movenet),
        ([[1, 6, 56]], [1, 256, 256, 3], .movenetMulti),
    ]) func `a layout is recognised by its shapes`(shapes: [[Int]], input: [Int], decoder: ModelDecoder) throws {
        let model = try ChosenModel(contentsOf: write(shapes, input: input))
        #expect(model.manifest.decoder == decoder && !model.isDescribed && model.manifest.kind == decoder.kind)
        #expect(model.manifest.input.width == (input[1] == 3 ? input[3] : input[2]))
        let check = ModelCheck(folder.file("net.xml").path)
        #expect(check.model != nil && check.lines.contains { $0.contains(decoder.rawValue) })
    }

    @Test(arguments: [
        ([[1, 1000]], [1, 3, 224, 224], "no known layout"), ([[1, 84, 2100]], [1, 3, 320, 320], "no known layout"),
        ([[1, 19, 64, 64]], [1, 3, 256, 256], "no known layout"),
        ([[1, 17, 64, 48]], [1, 1, 256, 192], "colour image"),
        ([[1, 17, 64, 48]], [1, 3, 8, 6], "16 to 4096"), ([[1, 17, 4, 3]], [1, 3, 5000, 3750], "16 to 4096"),
    ]) func `a model for something else is refused in one line`(shapes: [[Int]], input: [Int], words: String) throws {
        let url = try write(shapes, input: input)
        let line = try #require(refusal(url))
        #expect(line.contains(words), "\(line)")
        #expect(ModelCheck(url.path).lines.last?.contains(words) == true)
    }

    @Test func `a description is followed, and what contradicts the file is refused`() throws {
        _ = try write([[1, 17, 64, 48]])
        let whole = """
            {"name": "a", "kind": "top-down", "file": "net.xml", "decoder": "heatmap", "joints": "coco17",
             "input": {"width": 192, "height": 256, "channels": "bgr", "mean": [1, 2, 3], "scale": 255,
                       "fit": "crop", "padding": 1.1}, "licence": "MIT", "origin": "made here"}
            """
        let model = try ChosenModel(contentsOf: describe(whole))
        #expect(model.isDescribed && model.manifest.input.padding == 1.1 && model.manifest.input.scale == [255])
        #expect(try ChosenModel(contentsOf: folder.url) == model)
        #expect(try ChosenModel(contentsOf: folder.file("net.xml")) == model)
        let again = try JSONDecoder().decode(ModelManifest.self, from: JSONEncoder().encode(model.manifest))
        #expect(again == model.manifest)
        let changes = [
            ("\"heatmap\"", "\"simcc\"", "not of the layout simcc"), ("\"heatmap\"", "\"heat\"", "decoder is \"heat\""),
            ("\"heatmap\"", "\"rtmdet\"", "kind must be detector"), ("192", "64", "192x256 pixels where"),
            ("coco17", "halpe26", "gives 17 joints, but its description has 26"),
            ("coco17", "my18", "joints takes coco17"),
            ("\"coco17\"", "[\"nose\", \"tail\"]", "fewer than four"), ("net.xml", "../net.xml", "in the same folder"),
            ("net.xml", "other.xml", "no such file"), ("net.xml", "net.exe", "in the same folder"),
            ("\"a\"", "\"a b\"", "name takes letters"), ("[1, 2, 3]", "[1, 2]", "one number or three"),
            ("255", "0", "scale takes"), ("255", "1e99", "scale"), ("[1, 2, 3]", "NaN", "not JSON"),
            ("1.1", "9", "padding takes"), ("crop", "stretch", "crop is for"),
            ("\"licence\"", "\"license\"", "unknown"),
            ("\"name\": \"a\",", "", "name is missing"), ("256", "\"256\"", "height is not a whole number"),
            ("{\"name\"", "[\"name\"", "not JSON"), ("\"MIT\"", "\"\\u001b[31m\"", "licence takes"),
            ("\"MIT\"", "\"MIT\", \"sha256\": \"\(String(repeating: "0", count: 64))\"", "SHA-256 differs"),
            ("\"MIT\"", "\"MIT\", \"detector\": \"/etc/passwd\"", "detector goes with"),
            // A mark that combines with a slash makes another character, though the same path.
            ("\"MIT\"", "\"MIT\", \"detector\": \"../\u{301}a\"", "detector goes with"),
        ]
        for (old, new, words) in changes {
            let changed = whole.replacing(old, with: new)
            try #require(changed != whole, "\(old)")
            let line = refusal(try describe(changed))
            #expect(line?.contains(words) == true, "\(old) -> \(new): \(line ?? "taken")")
        }
        #expect(refusal(try describe(String(repeating: " ", count: 70_000)))?.contains("64 KiB") == true)
    }

    @Test func `several inputs, missing weights and files of another kind are refused`() throws {
        #expect(refusal(try write([[1, 17, 64, 48]], inputs: 2))?.contains("takes 2 inputs") == true)
        let url = try write([[1, 17, 64, 48]])
        try FileManager.default.removeItem(at: folder.file("net.bin"))
        #expect(refusal(url)?.contains("net.bin are missing") == true)
        for (name, text) in [
            ("a.onnx", "not a model"), ("a.xml", "<a/>"), ("a.xml", "PK"), ("a.tflite", "TFL3"), ("a.png", "x"),
        ] {
            try Data(text.utf8).write(to: folder.file(name))
            try Data(text.utf8).write(to: folder.file("a.bin"))
            #expect(refusal(folder.file(name)) != nil, "\(name)")
        }
        try Data().write(to: folder.file("empty.onnx"))
        #expect(refusal(folder.file("empty.onnx"))?.contains("empty") == true)
        #expect(refusal(URL(filePath: "/dev/zero"))?.contains("not a model file") == true)
        mkfifo(folder.file("pipe.onnx").path, 0o600)
        #expect(refusal(folder.file("pipe.onnx"))?.contains("is not a file") == true)
        #expect(throws: KinemaError.self) { try ChosenModel("no-such-model") }
        #expect(throws: KinemaError.self) { try ChosenModel("") }
    }

    @Test func `a truncated model is refused or still complete, and never ends the process`() throws {
        let ir = try write([[1, 17, 64, 48]])
        let onnx = folder.file("net.onnx")
        let boxes = TinyModels.Output(name: "dets", shape: [1, 2, 5], values: [Float](repeating: 0.5, count: 10))
        try Data(TinyModels.onnx([boxes])).write(to: onnx)
        #expect(try ChosenModel(contentsOf: onnx).manifest.decoder == .rtmdet)
        let tflite = folder.file("net.tflite")
        try Data(TinyPoseNet().bytes).write(to: tflite)
        #expect(try ChosenModel(contentsOf: tflite).poseNet != nil)
        var files = [(ir, ir), (folder.file("net.bin"), ir), (onnx, onnx), (tflite, tflite)]
        let shared = SharedData.folder.appending(path: "models")
        for (name, model) in [
            ("more/rtmdet-nano_zli20.onnx", "s.onnx"),
            ("posenet/posenet_mobilenet_v1_075_353_481_quant.tflite", "s.tflite"),
        ] {
            guard let bytes = try? Data(contentsOf: shared.appending(path: name)) else { continue }
            try bytes.write(to: folder.file(model))
            files.append((folder.file(model), folder.file(model)))
        }
        for (cut, model) in files {
            let whole = try Data(contentsOf: cut)
            for tenth in 0..<10 {
                try whole.prefix(whole.count * tenth / 10).write(to: cut)
                let line = refusal(model)
                #expect(line != nil, "\(cut.lastPathComponent) at \(tenth) tenths")
            }
            try whole.write(to: cut)
        }
    }

    @Test func `thousands of changed descriptions are read or refused in one line`() throws {
        _ = try write([[1, 17, 64, 48]])
        let seed = Array(
            """
            {"name":"a","kind":"top-down","file":"net.xml","decoder":"heatmap","joints":["nose","left_hip","leftKnee","rightKnee"],
            "input":{"width":192,"height":256,"channels":"bgr","mean":[1,2,3],"scale":255.5,"fit":"crop","padding":1.1,"border":0},
            "personClass":0,"detector":"d","licence":"MIT","origin":"here","address":"https://example.org/a"}
            """.utf8)
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "NaN", "1e999", "-1", "null", "[[[[", "{}", "\\u0000", "\"", "99999999999999999999", "../", "é", "}",
        ]
        var read = 0
        for _ in 0..<4000 {
            var bytes = seed
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
                }
            }
            do throws(KinemaError) {
                let manifest = try ModelManifest.read(Data(bytes), file: folder.file("model.json"))
                #expect(manifest.input.scale.allSatisfy { $0 > 0 && $0.isFinite } && !manifest.file.contains("/"))
                read += 1
            } catch {
                #expect(!error.message.contains("\n") && error.message.utf8.count < 500, "\(error)")
            }
        }
        #expect(read > 0 && read < 4000)
    }

    @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
    func `bytes become the model's numbers in its order of channels and planes`(isBlueFirst: Bool, isPlanar: Bool)
        throws
    {
        let url = folder.file("echo.xml")
        let shape = isPlanar ? [1, 3, 16, 16] : [1, 16, 16, 3]
        try TinyModels.writeIR(url, input: shape, outputs: [], echoes: true)
        let description = ModelDescription(
            name: "echo", purpose: "", file: "echo.xml", licence: "", origin: "",
            sha256: try ModelGraph.sha256(of: url), input: .init(name: "image0", shape: [1, 16, 16, 3], meaning: ""),
            outputs: [.init(name: "", shape: shape, meaning: "")], mean: [10, 20, 30], scale: [2, 4, 5], location: url,
            hasFloatOutputs: true, isPlanar: isPlanar, isBlueFirst: isBlueFirst, outputPlaces: [0])
        let store = ModelStore(cache: folder.url.appending(path: "cache"))
        for _ in 0..<2 {
            let values = try store.model(description, precision: .f32).withRequest { request in
                for index in request.input.indices { request.input[index] = [100, 150, 200][index % 3] }
                try request.infer()
                return request.outputs[0].array
            }
            #expect(values.shape == shape)
            let bytes: [Float] = isBlueFirst ? [200, 150, 100] : [100, 150, 200]
            for channel in 0..<3 {
                let expected = (bytes[channel] - [10, 20, 30][channel]) / [2, 4, 5][channel]
                #expect(values.scalars[isPlanar ? 256 * channel + 40 : 3 * 40 + channel] == expected)
            }
        }
    }

    @Test func `a device that is not there is refused with those that are`() throws {
        let store = ModelStore(cache: folder.url, device: try #require(ModelStore.Device(rawValue: "gpu.7")))
        let error = #expect(throws: KinemaError.self) {
            try store.model(ModelCatalogue.bodyDetector, precision: .f32)
        }
        #expect(error?.message.contains("no device GPU.7") == true && error?.message.contains("CPU") == true)
        #expect(ModelStore.Device(rawValue: "TPU") == nil && ModelStore.Device(rawValue: "GPU.x") == nil)
    }
}
