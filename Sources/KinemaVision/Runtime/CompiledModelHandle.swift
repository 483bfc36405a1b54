import COpenVINO
import Foundation
import KinemaCore

/// A model compiled for this machine, and the pool of its requests.
// SAFETY: `compiled` never changes after init and is freed in deinit; OpenVINO allows requests to be created from a
// compiled model on any thread. The pool guards its own state.
final class CompiledModelHandle: @unchecked Sendable {
    let description: ModelDescription
    private let compiled: OpaquePointer
    private let pool: RequestPool

    /// Compiles the file of a model with OpenVINO's text properties.
    init(_ description: ModelDescription, file: URL, properties: [String: String], maximumRequests: Int) throws {
        let runtime = try OpenVINOHandle.shared()
        let pairs = properties.sorted { $0.key < $1.key }
        let keys = pairs.map { strdup($0.key) }
        let values = pairs.map { strdup($0.value) }
        defer { (keys + values).forEach { free($0) } }
        var result: OpaquePointer?
        let input = kov_input(convert: 1, mean: description.mean, scale: description.scale)
        let status = kov_compile(
            runtime.core, file.path, "CPU", input, keys.map { UnsafePointer($0) }, values.map { UnsafePointer($0) },
            pairs.count, &result)
        guard status == 0, let result else {
            throw KinemaError(
                .missingComponent,
                "model \(description.name) cannot be compiled (\(OpenVINOHandle.lastError)); run script/bootstrap",
                file: file.path)
        }
        compiled = result
        self.description = description
        pool = RequestPool(limit: maximumRequests)
    }

    deinit {
        pool.removeAll()
        kov_compiled_free(compiled)
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
