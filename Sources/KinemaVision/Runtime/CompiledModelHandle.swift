import COpenVINO
import Foundation
import KinemaCore
import KinemaMedia

/// A model compiled for this machine, and the pool of its requests.
// SAFETY: `compiled` never changes after init and is freed in deinit, before the file it may read from; OpenVINO allows
// requests to be created from a compiled model on any thread. The pool guards its own state.
final class CompiledModelHandle: @unchecked Sendable {
    let description: ModelDescription
    /// Whether the model was taken from the cache rather than compiled.
    let isFromCache: Bool
    private let compiled: OpaquePointer
    private let kept: KeptModelHandle?
    private let pool: RequestPool

    /// Takes the model from the cache folder, where it is kept once it was compiled for this machine.
    ///
    /// Throws `.missingComponent` when the library or the model is not installed or cannot be compiled.
    init(
        _ description: ModelDescription, precision: ModelStore.Precision, aim: ModelStore.Aim, cache: URL,
        maximumRequests: Int
    ) throws {
        let runtime = try OpenVINOHandle.shared(precision, aim)
        let original = try ModelStore.file(of: description)
        let file = Self.file(in: cache, description, runtime)
        // What OpenVINO imports it runs as it is, so the folder is as good as code.
        if TrustedPlace.objection(to: cache) == nil, let kept = KeptModelHandle(file),
            let model = Self.taken(from: kept, runtime)
        {
            (compiled, self.kept, isFromCache) = (model, kept, true)
        } else {
            let model = try Self.compile(description, original, runtime)
            (compiled, kept, isFromCache) = (model, nil, false)
            // A folder that takes no files makes the next start slower, nothing else.
            _ = KeptModelHandle.keep(file) { kov_export(model, $0) == 0 }
        }
        self.description = description
        pool = RequestPool(limit: maximumRequests)
    }

    deinit {
        pool.removeAll()
        kov_compiled_free(compiled)
    }

    /// Where the model is kept: compiled from that file, by that library, for that processor and those settings.
    static func file(in cache: URL, _ description: ModelDescription, _ runtime: OpenVINOHandle) -> URL {
        let made =
            [description.sha256, runtime.version, runtime.property("FULL_DEVICE_NAME")]
            + [runtime.property("OPTIMIZATION_CAPABILITIES")]
            + ["\(description.mean) \(description.scale) \(description.outputs.map(\.name))"]
            + runtime.settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let name = ContentDigest.sha256(of: Array(made.joined(separator: "\n").utf8)).prefix(16)
        return cache.appending(path: "\(description.name)-\(name).compiled")
    }

    private static func taken(from kept: KeptModelHandle, _ runtime: OpenVINOHandle) -> OpaquePointer? {
        var result: OpaquePointer?
        let status = kov_import(runtime.core, kept.bytes.baseAddress, kept.bytes.count, "CPU", &result)
        return status == 0 ? result : nil
    }

    private static func compile(
        _ description: ModelDescription, _ original: URL, _ runtime: OpenVINOHandle
    ) throws -> OpaquePointer {
        let cut = try ModelStore.cut(description)
        defer { try? FileManager.default.removeItem(at: cut) }
        var result: OpaquePointer?
        let conversion = kov_conversion(
            convert: 1, mean: description.mean, scale: description.scale, float_outputs: description.givesSteps ? 1 : 0)
        guard kov_compile(runtime.core, cut.path, "CPU", conversion, &result) == 0, let result else {
            throw description.error(
                "model \(description.name) cannot be compiled (\(OpenVINOHandle.lastError))", original)
        }
        return result
    }

    /// Lends a request to `body`; waits while as many as the pool may hold are in use.
    func withRequest<Result>(_ body: (InferenceRequestHandle) throws -> Result) throws -> Result {
        let request = try pool.take { try InferenceRequestHandle(compiled, description) }
        defer { pool.give(request) }
        return try body(request)
    }

    /// A property of the compiled model as text, empty when there is none.
    func property(_ key: String) -> String {
        var text = [CChar](repeating: 0, count: 1024)
        return kov_compiled_property(compiled, key, &text, text.count) == 0 ? OpenVINOHandle.string(text) : ""
    }
}
