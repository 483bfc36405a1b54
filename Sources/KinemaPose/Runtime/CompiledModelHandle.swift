import COpenVINO
import Foundation
import KinemaCore
import KinemaMedia
import Synchronization

/// A model compiled for this machine, with a pool of inference requests.
// SAFETY: `compiled` never changes after init. It is freed in deinit, before the mapped file it may read from. OpenVINO
// allows creating requests from a compiled model on any thread. Every access to `idle` happens under `lock`.
package final class CompiledModelHandle: @unchecked Sendable {
    let description: ModelDescription
    let isFromCache: Bool
    private let compiled: OpaquePointer
    private let cached: CachedModelHandle?
    /// The requests not in use; `available` counts these and those that may still be created.
    private var idle: [InferenceRequestHandle] = []
    private let lock = NSLock()
    private let available: DispatchSemaphore
    private let uses = Atomic(0)
    package var useCount: Int { uses.load(ordering: .relaxed) }

    /// Loads the model from the cache folder, or compiles and stores it. Throws `.missingComponent` when the library or
    /// the model is not installed or cannot be compiled.
    init(
        _ description: ModelDescription, precision: ModelStore.Precision, goal: ModelStore.PerformanceGoal,
        device: ModelStore.Device = .cpu, cache: URL, maximumRequests: Int
    ) throws {
        let runtime = try OpenVINOHandle.shared(precision, goal, device)
        let original = try ModelStore.file(of: description)
        let file = Self.file(in: cache, description, runtime)
        // OpenVINO runs imported models unchecked, so the folder must be as trustworthy as code.
        // Devices other than the processor do not all export compiled models.
        if device == .cpu, TrustedPath.problem(with: cache) == nil, let cached = CachedModelHandle(file),
            let model = Self.imported(from: cached, runtime)
        {
            (compiled, self.cached, isFromCache) = (model, cached, true)
        } else {
            let model = try Self.compile(description, original, runtime)
            (compiled, cached, isFromCache) = (model, nil, false)
            // A failure only makes the next start slower.
            if device == .cpu { _ = CachedModelHandle.store(at: file) { kov_export(model, $0) == 0 } }
        }
        self.description = description
        available = DispatchSemaphore(value: max(1, maximumRequests))
    }

    deinit {
        idle.removeAll()
        kov_compiled_free(compiled)
    }

    static func file(in cache: URL, _ description: ModelDescription, _ runtime: OpenVINOHandle) -> URL {
        var key = [
            description.sha256, runtime.version, runtime.property("FULL_DEVICE_NAME"),
            runtime.property("OPTIMIZATION_CAPABILITIES"),
            "\(description.input.shape) \(description.mean) \(description.scale)",
            "\(description.outputs.map(\.name)) \(description.outputPlaces ?? []) \(description.hasFloatOutputs)",
            "\(description.isPlanar) \(description.isBlueFirst) \(description.isDynamic)", runtime.device.rawValue,
        ]
        if description.takesFloats { key.append("floats") }
        key += runtime.settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let name = ContentDigest.sha256(of: Array(key.joined(separator: "\n").utf8)).prefix(16)
        return cache.appending(path: "\(description.name)-\(name).compiled")
    }

    private static func imported(from cached: CachedModelHandle, _ runtime: OpenVINOHandle) -> OpaquePointer? {
        var result: OpaquePointer?
        let status = kov_import(runtime.core, cached.bytes.baseAddress, cached.bytes.count, "CPU", &result)
        return status == 0 ? result : nil
    }

    private static func compile(
        _ description: ModelDescription, _ original: URL, _ runtime: OpenVINOHandle
    ) throws -> OpaquePointer {
        let isWhole = description.outputPlaces != nil
        let file = isWhole ? original : try ModelStore.prunedFile(of: description)
        defer { if !isWhole { try? FileManager.default.removeItem(at: file) } }
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

    /// Passes a request to `body`; waits while all are in use.
    package func withRequest<Result>(_ body: (InferenceRequestHandle) throws -> Result) throws -> Result {
        uses.add(1, ordering: .relaxed)
        available.wait()
        defer { available.signal() }
        let request = try lock.withLock { try idle.popLast() ?? InferenceRequestHandle(compiled, description) }
        defer { lock.withLock { idle.append(request) } }
        return try body(request)
    }

    /// A property of the compiled model as text; empty if unknown.
    package func property(_ key: String) -> String {
        var text = [CChar](repeating: 0, count: 1024)
        return kov_compiled_property(compiled, key, &text, text.count) == 0 ? OpenVINOHandle.string(text) : ""
    }
}

/// A compiled model in the cache, mapped into memory while OpenVINO uses it. The file is OpenVINO's export with a
/// trailer of length and checksum, since OpenVINO crashes on a damaged import.
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

    deinit { munmap(mapping, mappedCount) }

    /// Writes an export with its trailer to the cache atomically; returns whether that succeeded.
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

// SAFETY: OpenVINO writes at most as many ports as the arrays hold; their names end with a zero byte within 128 bytes.

extension ModelGraph {
    static func ports(of file: URL) throws(KinemaError) -> (inputs: [Port], outputs: [Port]) {
        let runtime: OpenVINOHandle
        do {
            runtime = try OpenVINOHandle.shared(.f32, .throughput)
        } catch {
            throw error as? KinemaError
                ?? KinemaError(.missingComponent, "OpenVINO does not start; \(KinemaHome.remedy)")
        }
        var inputs = [kov_port](repeating: kov_port(), count: 8)
        var outputs = [kov_port](repeating: kov_port(), count: 32)
        var (inputCount, outputCount) = (inputs.count, outputs.count)
        guard kov_inspect(runtime.core, file.path, &inputs, &inputCount, &outputs, &outputCount) == 0 else {
            let reason = PlainText.prefix(PlainText.oneLine(OpenVINOHandle.lastError), bytes: 200)
            throw KinemaError.unreadable(
                "is damaged or not a model that OpenVINO reads (\(reason)); copy it again", file.path)
        }
        guard inputCount <= inputs.count, outputCount <= outputs.count else {
            throw KinemaError.unreadable(
                "has \(inputCount) inputs and \(outputCount) outputs, so it is not a pose model", file.path)
        }
        return (inputs.prefix(inputCount).map(Port.init), outputs.prefix(outputCount).map(Port.init))
    }
}

extension ModelGraph.Port {
    fileprivate init(_ port: kov_port) {
        let name = withUnsafeBytes(of: port.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let dimensions = withUnsafeBytes(of: port.dims) { Array($0.bindMemory(to: Int64.self)) }
        // A size larger than any picture's counts as unknown; the runtime checks the real one.
        let shape = dimensions.prefix(max(0, Int(port.rank))).map { (0...(1 << 30)).contains($0) ? Int($0) : -1 }
        // The order of OpenVINO's element types.
        let types = [
            "dynamic", "boolean", "bf16", "f16", "f32", "f64", "i4", "i8", "i16", "i32", "i64", "u1", "u2", "u3", "u4",
            "u6", "u8", "u16", "u32", "u64",
        ]
        let type = types.indices.contains(Int(port.type)) ? types[Int(port.type)] : "other"
        self.init(name: PlainText.oneLine(name), shape: shape, type: type)
    }
}
