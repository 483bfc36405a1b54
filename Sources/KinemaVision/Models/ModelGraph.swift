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
