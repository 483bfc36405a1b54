import COpenVINO
import Foundation
import KinemaCore
import Synchronization

/// OpenVINO, loaded once for the whole process and set up once for each precision and aim.
// SAFETY: `core` is created and set up in init, never changed and never freed while the process lives; OpenVINO documents
// its Core as usable from several threads.
final class OpenVINOHandle: @unchecked Sendable {
    let core: OpaquePointer
    let version: String
    let library: URL
    /// OpenVINO's names and values of what every model of this core is compiled with.
    private(set) var settings: [String: String] = [:]

    private struct Setup: Hashable {
        let precision: ModelStore.Precision
        let aim: ModelStore.Aim
    }

    private static let loaded = Mutex<[Setup: OpenVINOHandle]>([:])

    /// The library for a precision and an aim, opened at the first call.
    static func shared(_ precision: ModelStore.Precision, _ aim: ModelStore.Aim) throws -> OpenVINOHandle {
        let setup = Setup(precision: precision, aim: aim)
        return try loaded.withLock { handles in
            if let handle = handles[setup] { return handle }
            let new = try OpenVINOHandle(setup)
            handles[setup] = new
            return new
        }
    }

    private init(_ setup: Setup) throws {
        guard let library = Self.locate() else {
            throw KinemaError(.missingComponent, "the OpenVINO library is not installed; run script/bootstrap")
        }
        var text = [CChar](repeating: 0, count: 512)
        guard kov_open(library.path, &text, text.count) == 0 else {
            throw KinemaError(
                .missingComponent, "the OpenVINO library cannot be used (\(Self.string(text))); run script/bootstrap",
                file: library.path)
        }
        version = kov_version(&text, text.count) == 0 ? Self.string(text) : "unknown"
        var core: OpaquePointer?
        guard kov_core_create(&core) == 0, let core else {
            throw KinemaError(.missingComponent, "OpenVINO does not start (\(Self.lastError)); run script/bootstrap")
        }
        self.core = core
        self.library = library
        let cores = ProcessInfo.processInfo.activeProcessorCount
        settings = [
            "NUM_STREAMS": setup.aim == .throughput ? "\(min(cores, 2))" : "1",
            "INFERENCE_NUM_THREADS": "\(min(cores, 8))",
            // Pinned threads stall when another thread (the decoder) holds their core.
            "ENABLE_CPU_PINNING": "NO",
            "INFERENCE_PRECISION_HINT": setup.precision == .f32 ? "f32" : halfPrecision ?? "f32",
        ]
        for (key, value) in settings {
            guard kov_core_set(core, "CPU", key, value) == 0 else {
                throw KinemaError(
                    .missingComponent, "OpenVINO does not know \(key) (\(Self.lastError)); run script/bootstrap")
            }
        }
    }

    /// The 16 bit arithmetic that the processor has.
    private var halfPrecision: String? {
        let capabilities = property("OPTIMIZATION_CAPABILITIES")
        return capabilities.contains("BF16") ? "bf16" : capabilities.contains("FP16") ? "f16" : nil
    }

    /// What OpenVINO said about its last failure, in one line.
    static var lastError: String {
        guard let text = kov_last_error() else { return "no reason given" }
        let lines = String(cString: text).split(separator: "\n").filter { !$0.hasPrefix("Exception from") }
        return lines.first.map(String.init) ?? "no reason given"
    }

    /// A device's property as text, empty when there is none.
    func property(_ key: String, device: String = "CPU") -> String {
        var text = [CChar](repeating: 0, count: 1024)
        return kov_core_property(core, device, key, &text, text.count) == 0 ? Self.string(text) : ""
    }

    static func string(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `KINEMA_OPENVINO` names the file itself; otherwise the folder `openvino` of Kinema's home is searched.
    private static func locate() -> URL? {
        if let path = ProcessInfo.processInfo.environment["KINEMA_OPENVINO"], !path.isEmpty {
            return URL(filePath: path)
        }
        for home in KinemaHome.candidates {
            let folder = home.appending(path: "openvino")
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            if let file = files.sorted().last(where: { $0.hasPrefix("libopenvino_c.so") }) {
                return folder.appending(path: file)
            }
        }
        return nil
    }
}
