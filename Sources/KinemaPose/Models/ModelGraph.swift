import KinemaSampling
package import Foundation
package import KinemaCore
import KinemaMedia

/// A model file's format, inputs and outputs.
package struct ModelGraph: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, CaseIterable {
        case onnx
        /// OpenVINO's own format: an .xml file and a .bin file of the same name.
        case openVINO = "openvino"
        case tflite

        init?(file: String) {
            switch file.split(separator: ".").last?.lowercased() {
            case "onnx": self = .onnx
            case "xml": self = .openVINO
            case "tflite": self = .tflite
            default: return nil
            }
        }
    }

    package struct Port: Sendable, Hashable, CustomStringConvertible {
        /// The name in the graph; empty if it has none.
        package let name: String
        /// The sizes; -1 if not fixed.
        package let shape: [Int]
        /// The type of its numbers, such as f32 or u8.
        package let type: String

        package var description: String { "\(name.isEmpty ? "unnamed" : name) \(shapeText) \(type)" }

        /// The sizes as [1, 3, ?, ?].
        var shapeText: String { "[" + shape.map { $0 < 0 ? "?" : "\($0)" }.joined(separator: ", ") + "]" }
    }

    /// The widths and heights of inputs that are accepted, in pixels.
    static let sizes = 16...4096
    /// The largest model file in bytes; ViTPose-L in 32 bits has 1.2 GB.
    static let maximumSize = 2 << 30
    /// The largest .xml file in bytes.
    static let maximumTextSize = 64 << 20

    package let file: URL
    package let format: Format
    package let inputs: [Port]
    package let outputs: [Port]
    /// The SHA-256 of the file, in hexadecimal; for OpenVINO's pair that of the .xml followed by the .bin.
    package let sha256: String
    package let byteCount: Int

    var outputsText: String { outputs.prefix(4).map(\.shapeText).joined(separator: " ") }

    /// Reads a model file; throws `.unreadableInput` for an unusable file, `.missingComponent` without the library.
    package init(contentsOf url: URL) throws(KinemaError) {
        let (bytes, format) = try Self.content(of: url)
        (file, self.format) = (url, format)
        (sha256, byteCount) = (ContentDigest.sha256(of: bytes), bytes.count)
        (inputs, outputs) = try Self.ports(of: url)
    }

    static func sha256(of url: URL) throws(KinemaError) -> String {
        ContentDigest.sha256(of: try content(of: url).bytes)
    }

    /// The bytes of a model file, with its weights behind them if they are in another file.
    private static func content(of url: URL) throws(KinemaError) -> (bytes: [UInt8], format: Format) {
        guard let format = Format(file: url.lastPathComponent) else {
            throw KinemaError.unreadable(
                "is not a model file; choose an .onnx, .tflite or .xml (OpenVINO) file", url.path)
        }
        var bytes = try Self.bytes(of: url, limit: format == .openVINO ? Self.maximumTextSize : Self.maximumSize)
        try Self.check(bytes, format, url)
        if format == .openVINO {
            let weights = url.deletingPathExtension().appendingPathExtension("bin")
            guard FileManager.default.fileExists(atPath: weights.path) else {
                throw KinemaError.unreadable(
                    "its weights \(weights.lastPathComponent) are missing; copy both files", url.path)
            }
            bytes += try Self.bytes(of: weights, limit: Self.maximumSize)
        }
        return (bytes, format)
    }

    private static func bytes(of url: URL, limit: Int) throws(KinemaError) -> [UInt8] {
        let bytes = try BoundedFile.read(
            url, limit: limit, remedy: "choose a model file or folder", excess: "no pose model is that large")
        guard !bytes.isEmpty else { throw KinemaError(.unreadableInput, "is empty; copy it again", file: url.path) }
        return bytes
    }

    /// Rejects a file whose first bytes do not fit its format, and a TensorFlow Lite file that is cut short.
    private static func check(_ bytes: [UInt8], _ format: Format, _ url: URL) throws(KinemaError) {
        let head = bytes.prefix(256)
        let isKind =
            switch format {
            // Field 1 of a ModelProto, the version, or another field of small number.
            case .onnx: head.first.map { $0 & 7 <= 2 && $0 >> 3 >= 1 && $0 >> 3 <= 25 } ?? false
            case .openVINO: String(decoding: head, as: UTF8.self).contains("<")
            case .tflite: head.dropFirst(4).prefix(4).elementsEqual("TFL3".utf8)
            }
        guard isKind else {
            throw KinemaError(.unreadableInput, "is not the model its name says; copy it again", file: url.path)
        }
        guard format == .tflite else { return }
        let damaged = KinemaError(.unreadableInput, "is damaged or cut short; copy it again", file: url.path)
        do {
            try TFLiteGraph(bytes, damaged: damaged).checkBuffers()
        } catch {
            throw damaged
        }
    }
}

extension InputMapping {
    /// The whole picture in an input; the outermost samples are half a step from the picture's edge when it is stretched.
    init(_ fit: ModelManifest.Fit, of size: SIMD2<Double>, in input: SIMD2<Double>) {
        let step = size / input
        if fit == .stretch {
            self.init(origin: step / 2 - 0.5, step: step)
            return
        }
        let scale = step.max()
        let rest = fit == .letterbox ? ((input - size / scale) / 2).rounded(.down) : .zero
        self.init(origin: SIMD2(repeating: scale) / 2 - 0.5 - rest * scale, step: SIMD2(repeating: scale))
    }

    func picture(_ joints: DecodedJoints) -> DecodedJoints {
        var joints = joints
        joints.points = joints.points.map { picture($0) }
        return joints
    }
}

extension ModelManifest.Input {
    var size: SIMD2<Double> { SIMD2(Double(width), Double(height)) }
}

/// An ONNX model that takes numbers instead of a picture: its metadata, inputs and outputs.
package struct ONNXModel: Sendable, Hashable {
    package let header: ONNXHeader
    package let graph: ModelGraph

    /// The largest shape of an input, in numbers: ten thousand frames of a hundred joints of several people.
    package static let largestInput = 1 << 24

    /// Reads a file of at most `limit` bytes; throws `.unreadableInput` for an unusable file, `.missingComponent`
    /// without the inference library.
    package init(contentsOf url: URL, limit: Int) throws(KinemaError) {
        let bytes = try BoundedFile.read(url, limit: limit, remedy: "name an .onnx file")
        guard !bytes.isEmpty else { throw KinemaError(.unreadableInput, "is empty; copy it again", file: url.path) }
        header = try ONNXHeader(bytes, file: url.path)
        graph = try ModelGraph(contentsOf: url)
    }

    package func runner(shape: [Int]) throws(KinemaError) -> Runner {
        guard shape.count <= 8, shape.allSatisfy({ $0 > 0 }), shape.reduce(1, *) <= Self.largestInput,
            let input = graph.inputs.first
        else {
            throw KinemaError(.unreadableInput, "takes \(shape) numbers, which are too many", file: graph.file.path)
        }
        let description = ModelDescription(
            name: "classifier", purpose: "names actions", file: graph.file.lastPathComponent, licence: "", origin: "",
            sha256: graph.sha256, input: .init(name: input.name, shape: shape, meaning: "numbers"),
            outputs: graph.outputs.map { .init(name: $0.name, shape: $0.shape, meaning: "numbers") }, mean: [0],
            scale: [1], location: graph.file, hasFloatOutputs: true, takesFloats: true,
            isDynamic: input.shape.contains(-1), outputPlaces: Array(graph.outputs.indices))
        do {
            return Runner(model: try ModelStore.shared.model(description, precision: .f32))
        } catch {
            throw error as? KinemaError
                ?? KinemaError(.unreadableInput, "cannot be compiled; choose another model", file: graph.file.path)
        }
    }

    package struct Runner: Sendable {
        fileprivate let model: CompiledModelHandle

        package func outputs(for input: [Float]) throws -> [ShapedArray<Float>] {
            try model.withRequest { request in
                request.write(input)
                try request.infer()
                return request.outputs.map(\.array)
            }
        }
    }
}
