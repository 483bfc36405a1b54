public import Foundation
public import KinemaCore
import KinemaMedia
import Synchronization

/// Finds models, checks them, compiles each once, and lends them to every stream of the process.
public final class ModelStore: Sendable {
    /// How exact the arithmetic is.
    public enum Precision: String, Sendable, CaseIterable, Codable {
        /// 32 bit floating point, on every machine.
        case f32
        /// 16 bit (bf16 or f16) where the processor computes in it, otherwise 32 bit.
        case automatic
    }

    /// What the arithmetic is arranged for.
    package enum Arrangement: String, Sendable {
        /// One inference at a time over all cores: the shortest way from frame to pose.
        case latency
        /// Two at a time, each on its share of the cores: the most frames a second.
        case throughput
    }

    /// The store that everything uses unless told otherwise.
    public static let shared = ModelStore()

    private struct Key: Hashable {
        let name: String
        let precision: Precision
        let arrangement: Arrangement
    }

    private let compiled = Mutex<[Key: CompiledModelHandle]>([:])

    /// Makes a store of its own; compiled models are not shared with other stores.
    public init() {}

    /// Where a model's file lies.
    ///
    /// Throws `.missingComponent` when it is not installed.
    public static func file(of model: ModelDescription) throws(KinemaError) -> URL {
        guard let file = KinemaHome.find("models/\(model.file)") else {
            throw KinemaError(.missingComponent, "model \(model.name) is not installed; run script/bootstrap")
        }
        return file
    }

    /// Where a model's file lies, after its checksum was compared with the published one.
    ///
    /// Throws `.missingComponent` when it is not installed or not the published file.
    public static func verifiedFile(of model: ModelDescription) throws -> URL {
        _ = try verifiedBytes(of: model)
        return try file(of: model)
    }

    private static func verifiedBytes(of model: ModelDescription) throws -> [UInt8] {
        let file = try file(of: model)
        let bytes = (try? Data(contentsOf: file)).map { [UInt8]($0) } ?? []
        guard ContentDigest.sha256(of: bytes) == model.sha256 else {
            throw KinemaError(
                .missingComponent, "is not the published model \(model.name); run script/bootstrap", file: file.path)
        }
        return bytes
    }

    /// The version of the inference library, and where it lies.
    ///
    /// Throws `.missingComponent` when it is not installed.
    public static func runtime() throws -> (version: String, library: URL, processor: String, capabilities: String) {
        let runtime = try OpenVINOHandle.shared()
        return (
            runtime.version, runtime.library, runtime.property("FULL_DEVICE_NAME"),
            runtime.property("OPTIMIZATION_CAPABILITIES")
        )
    }

    /// The compiled model, shared by all who ask for the same one.
    func model(
        _ description: ModelDescription, precision: Precision, arrangement: Arrangement
    ) throws -> CompiledModelHandle {
        try compiled.withLock { known in
            let key = Key(name: description.name, precision: precision, arrangement: arrangement)
            if let model = known[key] { return model }
            let model = try compile(description, precision, arrangement)
            known[key] = model
            return model
        }
    }

    private func compile(
        _ description: ModelDescription, _ precision: Precision, _ arrangement: Arrangement
    ) throws -> CompiledModelHandle {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        var properties = [
            "NUM_STREAMS": arrangement == .throughput && cores > 1 ? "2" : "1",
            "INFERENCE_NUM_THREADS": "\(min(cores, 8))",
            // Pinned threads stall when another thread (the decoder) holds their core.
            "ENABLE_CPU_PINNING": "NO",
            "INFERENCE_PRECISION_HINT": "f32",
        ]
        if precision == .automatic {
            let capabilities = try OpenVINOHandle.shared().property("OPTIMIZATION_CAPABILITIES")
            if capabilities.contains("BF16") {
                properties["INFERENCE_PRECISION_HINT"] = "bf16"
            } else if capabilities.contains("FP16") {
                properties["INFERENCE_PRECISION_HINT"] = "f16"
            }
        }
        let cache = KinemaHome.cache.appending(path: "compiled", directoryHint: .isDirectory)
        if (try? FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)) != nil {
            properties["CACHE_DIR"] = cache.path
        }
        return try CompiledModelHandle(
            description, file: prepared(description), properties: properties, maximumRequests: max(2, cores))
    }

    /// The model's file without the outputs that nobody takes, kept in the cache folder under the original's hash.
    private func prepared(_ description: ModelDescription) throws -> URL {
        let folder = KinemaHome.cache.appending(path: "models", directoryHint: .isDirectory)
        let file = folder.appending(path: "\(description.name)-\(description.sha256.prefix(16)).tflite")
        if FileManager.default.fileExists(atPath: file.path) { return file }
        let bytes = try Self.verifiedBytes(of: description)
        let cut = try TFLiteGraph(bytes, file: description.file).keeping(outputs: Set(description.outputs.map(\.name)))
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(cut).write(to: file, options: .atomic)
        } catch {
            let reason = (error as NSError).localizedDescription
            throw KinemaError(.unwritableOutput, "cannot keep the prepared model: \(reason)", file: file.path)
        }
        return file
    }
}
