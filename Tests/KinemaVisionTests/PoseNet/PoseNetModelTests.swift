@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

/// Models by their files: what is read from them, what goes in, what comes out, and files that are none.
struct PoseNetModelTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func model(_ change: (inout TinyPoseNet) -> Void = { _ in }) throws -> PoseNetModel {
        var network = TinyPoseNet()
        change(&network)
        return try PoseNetModel(contentsOf: write(network.bytes))
    }

    private func write(_ bytes: [UInt8]) throws -> URL {
        let url = folder.file("\(UUID().uuidString).tflite")
        try Data(bytes).write(to: url)
        return url
    }

    private func output(_ model: PoseNetModel, red: UInt8, green: UInt8, blue: UInt8) throws -> PoseNetOutput {
        let id = TemporalSegmentIdentifier(source: "test", range: 0..<1, timescale: 1)
        let bitmap = Bitmap(width: 40, height: 50, red: red, green: green, blue: blue)
        let store = ModelStore(cache: folder.url.appending(path: "compiled"))
        return try PoseNetDetector(options: PoseNetOptions(model: model), store: store)
            .output(for: VideoFrame(bitmap: bitmap, id: id))
    }

    @Test(arguments: [(65, 33, 16, 5, 3), (257, 257, 32, 9, 9), (513, 257, 8, 65, 33), (324, 320, 16, 21, 20)])
    func `size and stride are read from the file`(width: Int, height: Int, stride: Int, columns: Int, rows: Int) throws
    {
        let model = try model {
            ($0.width, $0.height, $0.stride) = (width, height, stride)
        }
        #expect(model.inputWidth == width && model.inputHeight == height && model.outputStride == stride)
        #expect(model.grid == (columns, rows))
        let output = try output(model, red: 255, green: 0, blue: 0)
        #expect(output.gridWidth == columns && output.gridHeight == rows && output.modelOutputStride == stride)
        #expect(output.modelInputSize == CGSize(width: width, height: height))
    }

    @Test(arguments: [false, true]) func `colours go in from minus one to one and maps come out`(isSplit: Bool) throws {
        let output = try output(model { $0.splitsDisplacements = isSplit }, red: 255, green: 51, blue: 0)
        let maps = output.prediction
        func expect(_ values: [Float], _ expected: Float, _ name: Comment) {
            #expect(values.allSatisfy { abs($0 - expected) < 1e-3 }, name)
        }
        expect(maps.heatmap, 1 / (1 + exp(-4)), "heatmap")
        let cell = Array(maps.offsets.prefix(34))
        expect(Array(cell.prefix(17)), 8, "offsets' y")
        expect(Array(cell.suffix(17)), -8, "offsets' x")
        expect(maps.displacementFwd, 16 * (51 / 127.5 - 1), "forward")
        expect(maps.displacementBwd, -16 * (51 / 127.5 - 1), "backward")
        #expect(output.offset(3, at: SIMD2(20, 20)).x < 0 && output.offset(3, at: SIMD2(20, 20)).y > 0)
    }

    @Test(arguments: [TFLiteGraph.ElementType.uint8, .int8])
    func `eight bits go in as they are`(type: TFLiteGraph.ElementType) throws {
        for byte in [0, 1, 100, 128, 255] as [UInt8] {
            let maps = try output(model { $0.input = type }, red: byte, green: 0, blue: 128).prediction
            let expected = 8 * (Float(byte) - 128) / 128
            #expect(maps.offsets.prefix(17).allSatisfy { abs($0 - expected) < 1e-3 }, "\(byte): \(maps.offsets[0])")
            #expect(maps.offsets[17..<34].allSatisfy { abs($0) < 1e-3 })
        }
    }

    @Test func `probabilities are not taken for logits`() throws {
        let maps = try output(model { $0.givesProbabilities = true }, red: 0, green: 0, blue: 0).prediction
        #expect(maps.heatmap.allSatisfy { abs($0 - 1 / (1 + exp(4))) < 1e-4 }, "\(maps.heatmap[0])")
    }

    @Test func `other outputs are refused`() throws {
        let cases = [
            (TinyPoseNet(joints: 16), "does not output heatmaps"), (TinyPoseNet(width: 257, stride: 24), "do not fit"),
        ]
        for (network, words) in cases {
            let error = #expect(throws: KinemaError.self) { try PoseNetModel(contentsOf: write(network.bytes)) }
            #expect(error?.code == .unreadableInput && error?.message.contains(words) == true, "\(error as Any)")
        }
        let detector = try ModelStore.file(of: ModelCatalogue.bodyDetector)
        let error = #expect(throws: KinemaError.self) { try PoseNetModel(contentsOf: detector) }
        #expect(error?.message.contains("is not a PoseNet model") == true && error?.file == detector.path)
    }

    @Test func `files that are no models are refused in one line`() throws {
        let whole = TinyPoseNet().bytes
        let noise = whole.prefix(8) + Array(repeating: 0x5A, count: 4000)
        let cases: [(URL, String)] = [
            (folder.file("none.tflite"), "no such file"), (folder.url, "is not a file"),
            (URL(filePath: "/dev/zero"), "is not a file"), (try write([]), "not a TensorFlow Lite model"),
            (try write(Array("hello, world".utf8)), "not a TensorFlow Lite model"),
            (try write(Array(noise)), "damaged"), (try write(Array(whole.prefix(900))), "damaged"),
        ]
        for (url, words) in cases {
            let error = #expect(throws: KinemaError.self, "\(words)") { try PoseNetModel(contentsOf: url) }
            #expect(error?.code == .unreadableInput && error?.file == url.path, "\(words)")
            #expect(error?.message.contains(words) == true && error?.message.contains("\n") == false, "\(error as Any)")
        }
    }

    /// Whatever is damaged in the lists that are read, it is told as an error.
    @Test func `damaged files never lead beyond their end`() throws {
        let whole = TinyPoseNet().bytes
        var state: UInt64 = 7
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<8 { bytes[8 + next(bytes.count - 8)] = UInt8(truncatingIfNeeded: next(256)) }
            let damaged = KinemaError(.unreadableInput, "damaged")
            let graph = TFLiteGraph(bytes, damaged: damaged)
            do {
                _ = (try graph.inputs(), try graph.outputs())
            } catch {
                #expect(error as? KinemaError == damaged)
            }
        }
    }

    @Test func `a model that cannot be compiled is reported by its name`() throws {
        let model = try model { $0.needsAccelerator = true }
        let error = #expect(throws: KinemaError.self) { try output(model, red: 0, green: 0, blue: 0) }
        #expect(error?.code == .unreadableInput && error?.file == model.file.path, "\(error as Any)")
        #expect(error?.message.contains("cannot be compiled") == true, "\(error as Any)")
    }
}
