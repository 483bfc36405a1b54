import COpenVINO
import Foundation
import KinemaCore
import KinemaMedia
import Synchronization

/// The OpenVINO library, loaded once per process and configured once for each precision and performance goal.
// SAFETY: `core` is created and configured in init and never changed or freed afterwards; OpenVINO documents its Core
// as thread-safe.
final class OpenVINOHandle: @unchecked Sendable {
    let core: OpaquePointer
    let version: String
    let library: URL
    /// The properties that this core's models are compiled with, under OpenVINO's names.
    private(set) var settings: [String: String] = [:]

    let device: ModelStore.Device

    private struct Configuration: Hashable {
        let precision: ModelStore.Precision
        let goal: ModelStore.PerformanceGoal
        let device: ModelStore.Device
    }

    private static let loaded = Mutex<[Configuration: OpenVINOHandle]>([:])

    /// The library configured for a precision and a goal; the first call loads it.
    static func shared(
        _ precision: ModelStore.Precision, _ goal: ModelStore.PerformanceGoal, _ device: ModelStore.Device = .cpu
    ) throws -> OpenVINOHandle {
        let configuration = Configuration(precision: precision, goal: goal, device: device)
        return try loaded.withLock { handles in
            if let handle = handles[configuration] { return handle }
            let new = try OpenVINOHandle(configuration)
            handles[configuration] = new
            return new
        }
    }

    private init(_ configuration: Configuration) throws {
        let library = try Self.locate()
        var text = [CChar](repeating: 0, count: 512)
        guard kov_open(library.path, &text, text.count) == 0 else {
            throw KinemaError(
                .missingComponent, "the OpenVINO library cannot be loaded (\(Self.string(text))); \(KinemaHome.remedy)",
                file: library.path)
        }
        version = kov_version(&text, text.count) == 0 ? Self.string(text) : "unknown"
        var core: OpaquePointer?
        guard kov_core_create(&core) == 0, let core else {
            throw KinemaError(.missingComponent, "OpenVINO does not start (\(Self.lastError)); \(KinemaHome.remedy)")
        }
        (self.core, self.library) = (core, library)
        device = configuration.device
        guard device == .cpu else {
            try requireDevice()
            settings = ["PERFORMANCE_HINT": configuration.goal == .throughput ? "THROUGHPUT" : "LATENCY"]
            for (key, value) in settings { try set(key, value) }
            // Not every device takes the hint; the others compute in their only precision.
            let precision = configuration.precision == .f32 ? "f32" : "f16"
            if kov_core_set(core, device.rawValue, "INFERENCE_PRECISION_HINT", precision) == 0 {
                settings["INFERENCE_PRECISION_HINT"] = precision
            }
            return
        }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let isThroughput = configuration.goal == .throughput
        settings = [
            "NUM_STREAMS": isThroughput ? "\(min(cores, Self.maximumStreams))" : "1",
            "INFERENCE_NUM_THREADS": "\(min(cores, isThroughput ? Self.maximumStreams : 8))",
            // Pinned threads stall while another thread, such as the decoder, occupies their core.
            "ENABLE_CPU_PINNING": "NO",
            "INFERENCE_PRECISION_HINT": configuration.precision == .f32 ? "f32" : halfPrecision ?? "f32",
        ]
        for (key, value) in settings { try set(key, value) }
    }

    /// The most concurrent inferences; each has its own memory.
    private static let maximumStreams = 64

    private func set(_ key: String, _ value: String) throws {
        guard kov_core_set(core, device.rawValue, key, value) == 0 else {
            throw KinemaError(.missingComponent, "OpenVINO rejects \(key) (\(Self.lastError)); \(KinemaHome.remedy)")
        }
    }

    /// Throws, with the available devices, unless this core's device is one of them.
    private func requireDevice() throws {
        var text = [CChar](repeating: 0, count: 1024)
        let available = kov_devices(core, &text, text.count) == 0 ? Self.string(text).split(separator: " ") : []
        // AUTO chooses among the others and is available if its plugin is.
        let isThere = available.contains { $0 == device.rawValue || $0.hasPrefix(device.rawValue + ".") }
        guard !isThere, device != .auto || property("FULL_DEVICE_NAME", device: "AUTO").isEmpty else { return }
        throw KinemaError(
            .unsupported,
            "no device \(device.rawValue) for inference; available are \(available.joined(separator: ", "))")
    }

    /// The 16-bit floating-point format that the processor supports; nil if there is none.
    private var halfPrecision: String? {
        let capabilities = property("OPTIMIZATION_CAPABILITIES")
        return capabilities.contains("BF16") ? "bf16" : capabilities.contains("FP16") ? "f16" : nil
    }

    /// OpenVINO's last error message, in one line.
    static var lastError: String {
        guard let text = kov_last_error() else { return "no reason given" }
        let lines = String(cString: text).split(separator: "\n")
        // Drop the leading positions in OpenVINO's source, and find the list of unreadable parts.
        let places = ["Exception from", "Check '", "FrontEnd API failed", "Loading input model"]
        let reason =
            lines.first { $0.hasPrefix("-- ") }?.dropFirst(3)
            ?? lines.first { line in !places.contains { line.hasPrefix($0) } } ?? lines.dropFirst().first ?? lines.first
        return reason.map(String.init) ?? "no reason given"
    }

    /// A property of a device as text; empty if unknown.
    func property(_ key: String, device: String = "CPU") -> String {
        var text = [CChar](repeating: 0, count: 1024)
        return kov_core_property(core, device, key, &text, text.count) == 0 ? Self.string(text) : ""
    }

    static func string(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The library in `KINEMA_OPENVINO`, or in the folder `openvino` of Kinema's home. Only files that other users
    /// cannot change are loaded; the main library's checksum is verified, the other 90 MB by `kinema doctor`.
    private static func locate() throws -> URL {
        if let file = KinemaHome.named("KINEMA_OPENVINO") {
            try requireTrusted(file)
            return file
        }
        for home in KinemaHome.homes where home.problem == nil {
            let folder = home.folder.appending(path: "openvino", directoryHint: .isDirectory)
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            guard let name = files.sorted().last(where: { $0.hasPrefix("libopenvino_c.so") }) else { continue }
            // The library loads other files of its folder.
            for file in files { try requireTrusted(folder.appending(path: file)) }
            try verify(name, in: folder)
            return folder.appending(path: name)
        }
        throw KinemaHome.missing("the OpenVINO library")
    }

    private static func requireTrusted(_ file: URL) throws {
        if let problem = TrustedPath.problem(with: file) { throw KinemaError(.missingComponent, problem) }
    }

    /// The largest list of checksums and the largest file of the library, in bytes; version 2026.4.1 has one of 64 MB.
    private static let (maximumListSize, maximumSize) = (1 << 20, 1 << 30)

    /// The sum of each file in a list that `sha256sum` wrote.
    static func checksums(in list: [UInt8]) -> [(name: String, sum: String)] {
        String(decoding: list, as: UTF8.self).split(separator: "\n").compactMap { line in
            let parts = line.split(maxSplits: 1) { $0 == " " }
            // sha256sum puts a star before the names of files read in binary mode.
            return parts.count == 2 ? (String(parts[1].drop { $0 == " " || $0 == "*" }), String(parts[0])) : nil
        }
    }

    /// Verifies the checksum of one file, or of all in the folder's SHA256SUMS; throws `.missingComponent`.
    static func verify(_ name: String? = nil, in folder: URL) throws {
        let list = folder.appending(path: "SHA256SUMS")
        guard let bytes = try? BoundedFile.read(list, limit: maximumListSize) else {
            throw KinemaError(
                .missingComponent, "there are no checksums for the OpenVINO library; \(KinemaHome.remedy)",
                file: list.path)
        }
        let entries = checksums(in: bytes).filter { name == nil || $0.name == name }
        for entry in entries {
            let file = folder.appending(path: entry.name)
            let bytes = (try? BoundedFile.read(file, limit: maximumSize)) ?? []
            guard ContentDigest.sha256(of: bytes) == entry.sum else {
                throw KinemaError(
                    .missingComponent, "differs from the file that was fetched; \(KinemaHome.remedy)", file: file.path)
            }
        }
        guard !entries.isEmpty else {
            throw KinemaError(
                .missingComponent, "has no checksum for \(name ?? "any file"); \(KinemaHome.remedy)", file: list.path)
        }
    }
}
