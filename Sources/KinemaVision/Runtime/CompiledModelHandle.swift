import COpenVINO
import Foundation
import KinemaCore
import KinemaMedia
import Synchronization

/// A model compiled for this machine, with a pool of inference requests.
// SAFETY: `compiled` never changes after init. It is freed in deinit, before the mapped file it may read from. OpenVINO
// allows creating requests from a compiled model on any thread. The pool guards its own state.
package final class CompiledModelHandle: @unchecked Sendable {
    let description: ModelDescription
    /// Whether the model was loaded from the cache.
    let isFromCache: Bool
    private let compiled: OpaquePointer
    private let cached: CachedModelHandle?
    private let pool: RequestPool
    private let uses = Atomic(0)
    /// How often a request has been taken.
    package var useCount: Int { uses.load(ordering: .relaxed) }

    /// Loads the model from the cache folder, or compiles it and stores it there.
    ///
    /// Throws `.missingComponent` when the library or the model is not installed or cannot be compiled.
    init(
        _ description: ModelDescription, precision: ModelStore.Precision, goal: ModelStore.PerformanceGoal,
        device: ModelStore.Device = .cpu, cache: URL, maximumRequests: Int
    ) throws {
        let runtime = try OpenVINOHandle.shared(precision, goal, device)
        let quantised = precision == .int8 ? try QuantisedModel(of: description) : nil
        let original = try quantised?.file ?? ModelStore.file(of: description)
        let file = Self.file(in: cache, description, quantised, runtime)
        // OpenVINO runs imported models unchecked, so the folder must be as trustworthy as code.
        // Other devices than the processor do not all export what they compile.
        if device == .cpu, TrustedPath.problem(with: cache) == nil, let cached = CachedModelHandle(file),
            let model = Self.imported(from: cached, runtime)
        {
            (compiled, self.cached, isFromCache) = (model, cached, true)
        } else {
            let model = try Self.compile(description, original, isReady: quantised != nil, runtime)
            (compiled, cached, isFromCache) = (model, nil, false)
            // A failure only makes the next start slower.
            if device == .cpu { _ = CachedModelHandle.store(at: file) { kov_export(model, $0) == 0 } }
        }
        self.description = description
        pool = RequestPool(limit: maximumRequests)
    }

    deinit {
        pool.removeAll()
        kov_compiled_free(compiled)
    }

    /// The cache file; its name depends on the model file, the library, the processor and the settings.
    static func file(
        in cache: URL, _ description: ModelDescription, _ quantised: QuantisedModel? = nil, _ runtime: OpenVINOHandle
    ) -> URL {
        let key =
            [quantised?.sha256 ?? description.sha256, runtime.version, runtime.property("FULL_DEVICE_NAME")]
            + [runtime.property("OPTIMIZATION_CAPABILITIES")]
            + ["\(description.input.shape) \(description.mean) \(description.scale)"]
            + ["\(description.outputs.map(\.name)) \(description.outputPlaces ?? []) \(description.hasFloatOutputs)"]
            + ["\(description.isPlanar) \(description.isBlueFirst) \(description.isDynamic)", runtime.device.rawValue]
            + (description.takesFloats ? ["floats"] : [])
            + runtime.settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let name = ContentDigest.sha256(of: Array(key.joined(separator: "\n").utf8)).prefix(16)
        return cache.appending(path: "\(description.name)-\(name).compiled")
    }

    private static func imported(from cached: CachedModelHandle, _ runtime: OpenVINOHandle) -> OpaquePointer? {
        var result: OpaquePointer?
        let status = kov_import(runtime.core, cached.bytes.baseAddress, cached.bytes.count, "CPU", &result)
        return status == 0 ? result : nil
    }

    private static func compile(
        _ description: ModelDescription, _ original: URL, isReady: Bool, _ runtime: OpenVINOHandle
    ) throws -> OpaquePointer {
        let isWhole = description.outputPlaces != nil
        let file = isReady || isWhole ? original : try ModelStore.prunedFile(of: description)
        defer { if !isReady, !isWhole { try? FileManager.default.removeItem(at: file) } }
        if isWhole, try ModelGraph.sha256(of: original) != description.sha256 {
            throw description.error("has changed", original)
        }
        var result: OpaquePointer?
        guard kov_compile(runtime.core, file.path, runtime.device.rawValue, conversion(description), &result) == 0,
            let result
        else {
            let reason = PlainText.prefix(PlainText.oneLine(OpenVINOHandle.lastError), bytes: 200)
            throw description.error("model \(description.name) cannot be compiled (\(reason))", original)
        }
        return result
    }

    private static func conversion(_ description: ModelDescription) -> kov_conversion {
        func three(_ values: [Float]) -> (Float, Float, Float) {
            values.count == 3 ? (values[0], values[1], values[2]) : (values[0], values[0], values[0])
        }
        var conversion = kov_conversion(
            convert: description.takesFloats ? 0 : 1,
            channels: description.mean.count == 3 || description.scale.count == 3 ? 3 : 1,
            mean: three(description.mean), scale: three(description.scale), reverses: description.isBlueFirst ? 1 : 0,
            is_planar: description.isPlanar ? 1 : 0, float_outputs: description.hasFloatOutputs ? 1 : 0, rank: 0,
            shape: (0, 0, 0, 0, 0, 0, 0, 0))
        guard description.isDynamic else { return conversion }
        let size = description.input.shape
        let shape = description.isPlanar ? [1, 3, size[1], size[2]] : size
        conversion.rank = Int32(shape.count)
        withUnsafeMutableBytes(of: &conversion.shape) { bytes in
            let numbers = bytes.bindMemory(to: Int64.self)
            for (index, number) in shape.prefix(numbers.count).enumerated() { numbers[index] = Int64(number) }
        }
        return conversion
    }

    /// Passes a request to `body`; waits while all requests of the pool are in use.
    package func withRequest<Result>(_ body: (InferenceRequestHandle) throws -> Result) throws -> Result {
        uses.add(1, ordering: .relaxed)
        let request = try pool.checkOut { try InferenceRequestHandle(compiled, description) }
        defer { pool.checkIn(request) }
        return try body(request)
    }

    /// A property of the compiled model as text; empty if unknown.
    package func property(_ key: String) -> String {
        var text = [CChar](repeating: 0, count: 1024)
        return kov_compiled_property(compiled, key, &text, text.count) == 0 ? OpenVINOHandle.string(text) : ""
    }
}

/// A compiled model in the cache, mapped into memory; OpenVINO reads from the mapping while it uses the model.
///
/// The file is OpenVINO's export and a trailer with the export's length and checksum. OpenVINO does not check what it
/// imports, so a truncated or damaged file would crash it.
// SAFETY: the file is mapped for reading in `init` and unmapped in `deinit`. Cache files are replaced only by renaming,
// which leaves existing mappings intact. The checksum reads only inside the mapping.
final class CachedModelHandle {
    /// The export without the trailer.
    let bytes: UnsafeRawBufferPointer
    private let mapping: UnsafeMutableRawPointer
    private let mappedCount: Int

    private static let trailerCount = 16

    /// Maps a cache file; nil when it is absent, damaged, or may have been written by another user.
    convenience init?(_ file: URL) {
        self.init(mapping: file)
        let trailer = UnsafeRawBufferPointer(start: mapping, count: mappedCount).suffix(Self.trailerCount)
        guard mappedCount > Self.trailerCount, Array(trailer) == Self.trailer(of: bytes) else { return nil }
    }

    /// Maps a file without checking its trailer.
    private init?(mapping file: URL) {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0, TrustedPath.accepts(status),
            let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
        else { return nil }
        mapping = start
        mappedCount = Int(status.st_size)
        bytes = UnsafeRawBufferPointer(start: start, count: max(0, mappedCount - Self.trailerCount))
    }

    deinit {
        munmap(mapping, mappedCount)
    }

    /// Writes an export with its trailer to the cache atomically; returns whether that succeeded.
    ///
    /// A process that starts at the same time sees either the complete file or none.
    static func store(at file: URL, export: (String) -> Bool) -> Bool {
        let temporary = file.appendingPathExtension(
            "\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0 ... .max))")
        defer { unlink(temporary.path) }
        guard TrustedPath.prepare(file.deletingLastPathComponent()), export(temporary.path),
            chmod(temporary.path, 0o600) == 0, let written = CachedModelHandle(mapping: temporary),
            let output = FileHandle(forUpdatingAtPath: temporary.path)
        else { return false }
        let whole = UnsafeRawBufferPointer(start: written.mapping, count: written.mappedCount)
        do {
            try output.seekToEnd()
            try output.write(contentsOf: Data(trailer(of: whole)))
            try output.close()
        } catch {
            return false
        }
        return rename(temporary.path, file.path) == 0
    }

    /// The length and the checksum, eight bytes each.
    private static func trailer(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        // FNV-1a (Fowler, Noll, Vo) over words of eight bytes instead of single bytes: 7 MB take a millisecond.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func combine(_ word: UInt64) { hash = ((hash ^ word) &* 0x0000_0100_0000_01b3).byteSwapped }
        let wholeWords = bytes.count & ~7
        for offset in stride(from: 0, to: wholeWords, by: 8) {
            combine(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        for byte in bytes[wholeWords...] { combine(UInt64(byte)) }
        return [UInt64(bytes.count), hash].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
    }
}

/// An inference request with its input and output tensors.
// SAFETY: a request belongs to one caller at a time (RequestPool hands it out). The input and output memory belongs to
// the request and lives as long as it does. The tensors are freed in deinit, before the request.
package final class InferenceRequestHandle {
    private let request: OpaquePointer
    private var tensors: [OpaquePointer] = []
    /// The input tensor's bytes: RGB, top row first, or floats.
    let input: UnsafeMutableBufferPointer<UInt8>
    /// The output tensors in the description's order.
    private(set) var outputs: [TensorView] = []
    private let name: String
    /// The outputs' places in a graph that may give another shape at each run.
    private let places: [Int]?

    init(_ compiled: OpaquePointer, _ description: ModelDescription) throws {
        name = description.name
        var created: OpaquePointer?
        guard kov_request_create(compiled, &created) == 0, let created else {
            throw KinemaError(.analysisFailed, "model \(description.name): \(OpenVINOHandle.lastError)")
        }
        var tensor: OpaquePointer?
        var view = kov_view()
        let expected = description.input.shape.reduce(description.takesFloats ? MemoryLayout<Float>.size : 1, *)
        guard kov_request_input(created, 0, &tensor, &view) == 0, let first = tensor, view.byte_size == expected,
            let data = view.data
        else {
            if let tensor { kov_tensor_free(tensor) }
            kov_request_free(created)
            throw Self.unexpectedShape(description)
        }
        request = created
        tensors = [first]
        input = UnsafeMutableBufferPointer(start: data.assumingMemoryBound(to: UInt8.self), count: expected)
        places = description.outputPlaces
        guard places == nil else { return }
        for output in description.outputs {
            var tensor: OpaquePointer?
            var view = kov_view()
            let found = kov_request_output(request, output.name, &tensor, &view) == 0
            if let tensor { tensors.append(tensor) }
            let count = output.shape.reduce(1, *)
            guard found, let data = view.data, view.type == 4, view.byte_size == 4 * count else {
                throw Self.unexpectedShape(description)
            }
            let values = UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: count)
            outputs.append(TensorView(values, shape: output.shape))
        }
    }

    deinit {
        tensors.forEach { kov_tensor_free($0) }
        kov_request_free(request)
    }

    /// Runs the model on `input`; `outputs` hold the result until the next run.
    package func infer() throws {
        guard kov_request_infer(request) == 0 else {
            throw KinemaError(.analysisFailed, "model \(name): \(OpenVINOHandle.lastError)")
        }
        if let places { try readOutputs(places) }
    }

    /// Writes the input of a model that takes floats; as many as its shape has.
    func write(_ values: [Float]) {
        values.withUnsafeBytes { bytes in
            let fitting = UnsafeRawBufferPointer(rebasing: bytes.prefix(input.count))
            UnsafeMutableRawBufferPointer(input).copyMemory(from: fitting)
        }
    }

    /// Reads outputs whose shape may have changed with this run.
    private func readOutputs(_ places: [Int]) throws {
        tensors.dropFirst().forEach { kov_tensor_free($0) }
        tensors.removeLast(tensors.count - 1)
        outputs.removeAll(keepingCapacity: true)
        for place in places {
            var tensor: OpaquePointer?
            var view = kov_view()
            let found = kov_request_output_at(request, place, &tensor, &view) == 0
            if let tensor { tensors.append(tensor) }
            let dimensions = withUnsafeBytes(of: view.dims) { Array($0.bindMemory(to: Int64.self)) }
            let shape = dimensions.prefix(max(0, Int(view.rank))).map { Int($0) }
            let count = shape.reduce(1, *)
            let data = view.data?.assumingMemoryBound(to: Float.self)
            guard found, view.type == 4, view.byte_size == 4 * count, data != nil || count == 0 else {
                throw KinemaError(
                    .analysisFailed, "model \(name) gives an output of another type; choose another model")
            }
            let values = UnsafeBufferPointer(start: count > 0 ? data : nil, count: count)
            outputs.append(TensorView(values, shape: shape))
        }
    }

    private static func unexpectedShape(_ description: ModelDescription) -> KinemaError {
        description.error("model \(description.name) has an unexpected tensor shape")
    }
}

/// A view of an output tensor in the runtime's memory; it is valid until the request's next run.
struct TensorView {
    /// The sizes, outermost first.
    let shape: [Int]
    private let values: UnsafeBufferPointer<Float>

    // SAFETY: the memory belongs to the request, which outlives the closure it is passed to; views stay inside it. The
    // shape's product is the number of values.
    init(_ values: UnsafeBufferPointer<Float>, shape: [Int]) {
        (self.values, self.shape) = (values, shape)
    }

    /// The number of values.
    var count: Int { values.count }

    /// A copy that outlives the request's next run.
    var array: ShapedArray<Float> { ShapedArray(scalars: values, shape: shape) }

    /// The value at an index within the tensor's shape, which is checked when the request is created or has run.
    subscript(index: Int) -> Float { values[index] }
}
