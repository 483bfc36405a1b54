import COpenVINO
import Foundation
import KinemaCore
import KinemaMedia
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
        let library = try Self.locate()
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
    ///
    /// Only what nobody else may change is opened, and of bootstrap's folder only what agrees with the sums it noted. That
    /// is said of the one file that is opened, which takes two milliseconds; to sum up the other ninety megabytes takes
    /// more than the rest of the start, so `kinema doctor` does it.
    private static func locate() throws -> URL {
        if let file = KinemaHome.named("KINEMA_OPENVINO") {
            try refuse(file)
            return file
        }
        for home in KinemaHome.homes where home.objection == nil {
            let folder = home.folder.appending(path: "openvino", directoryHint: .isDirectory)
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            guard let name = files.sorted().last(where: { $0.hasPrefix("libopenvino_c.so") }) else { continue }
            // Its neighbours are loaded by it.
            for file in files { try refuse(folder.appending(path: file)) }
            try verify(name, in: folder)
            return folder.appending(path: name)
        }
        throw KinemaHome.missing("the OpenVINO library")
    }

    private static func refuse(_ file: URL) throws {
        if let objection = TrustedPlace.objection(to: file) { throw KinemaError(.missingComponent, objection) }
    }

    /// Compares files with the sums that bootstrap noted: one, or all that it noted.
    ///
    /// Throws `.missingComponent` when there are none or they differ.
    static func verify(_ name: String? = nil, in folder: URL) throws {
        let list = folder.appending(path: "SHA256SUMS")
        guard let text = try? String(contentsOf: list, encoding: .utf8) else {
            throw KinemaError(
                .missingComponent, "there are no checksums to compare with; run script/bootstrap", file: list.path)
        }
        let noted = text.split(separator: "\n").compactMap { line -> (sum: Substring, name: Substring)? in
            let parts = line.split(maxSplits: 1) { $0 == " " }
            // sha256sum marks a file read as bytes by a star before its name.
            return parts.count == 2 ? (parts[0], parts[1].drop { $0 == " " || $0 == "*" }) : nil
        }
        let wanted = noted.filter { name == nil || $0.name == name ?? "" }
        for entry in wanted {
            let file = folder.appending(path: String(entry.name))
            let bytes = (try? Data(contentsOf: file)).map { [UInt8]($0) } ?? []
            guard ContentDigest.sha256(of: bytes) == entry.sum else {
                throw KinemaError(
                    .missingComponent, "differs from what was fetched; run script/bootstrap", file: file.path)
            }
        }
        guard !wanted.isEmpty else {
            throw KinemaError(
                .missingComponent, "has no checksum for \(name ?? "any file"); run script/bootstrap", file: list.path)
        }
    }
}
