package import Foundation
package import KinemaCore
import KinemaMedia
import Synchronization

/// Finds, verifies and compiles models, and shares each compiled model within the process.
public final class ModelStore: Sendable {
    /// The numeric precision of inference.
    public enum Precision: String, Sendable, CaseIterable, Codable {
        /// 32-bit floating point on every machine.
        case f32
        /// 16-bit floating point (bf16 or f16) if the processor supports it, otherwise 32-bit.
        case automatic

        /// The precision for counting and coaching: 16 bits lose shallow repetitions.
        package static let counting = f32
    }

    /// The device for inference, by OpenVINO's name.
    public struct Device: RawRepresentable, Sendable, Hashable {
        /// The name: CPU, GPU, GPU.1, NPU or AUTO.
        public let rawValue: String

        /// The processor.
        public static let cpu = Device("CPU")
        /// Whichever device OpenVINO prefers.
        static let auto = Device("AUTO")

        private init(_ name: String) { rawValue = name }

        /// A device by its name in any case; nil for an unknown name.
        public init?(rawValue: String) {
            let name = rawValue.uppercased()
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard ["CPU", "GPU", "NPU", "AUTO"].contains(parts[0]), parts.count <= 2 else { return nil }
            if parts.count == 2, Int(parts[1]).map({ !(0...99).contains($0) }) ?? true { return nil }
            self.init(name)
        }
    }

    enum PerformanceGoal: Hashable, Sendable {
        /// Each core runs its own inference, which takes the least processor time.
        case throughput
        /// All cores work on one inference at a time.
        case latency

        init(_ mode: RunningMode) { self = mode == .file ? .throughput : .latency }
    }

    package static let shared = ModelStore()
    /// The store in which all cores work on each inference, for live streams and pictures.
    package static let allCores = ModelStore(goal: .latency)

    private struct Key: Hashable {
        let description: ModelDescription
        let precision: Precision
    }

    /// A model and its lock, which is held while the model loads so that other models can load meanwhile.
    private final class Slot: Sendable {
        let model = Mutex<CompiledModelHandle?>(nil)
    }

    private let slots = Mutex<[Key: Slot]>([:])
    private let cache: URL
    private let goal: PerformanceGoal
    private let device: Device

    private struct Place: Hashable {
        let device: Device
        let goal: PerformanceGoal
    }

    private static let others = Mutex<[Place: ModelStore]>([:])

    package static func store(on device: Device, mode: RunningMode) -> ModelStore {
        let goal = PerformanceGoal(mode)
        guard device != .cpu else { return goal == .latency ? allCores : shared }
        let place = Place(device: device, goal: goal)
        return others.withLock { stores in
            let store = stores[place] ?? ModelStore(goal: goal, device: device)
            stores[place] = store
            return store
        }
    }

    /// Creates a store that shares no compiled models with others and caches them in a folder.
    init(cache: URL = standardCache, goal: PerformanceGoal = .throughput, device: Device = .cpu) {
        (self.cache, self.goal, self.device) = (cache, goal, device)
    }

    private static var standardCache: URL {
        KinemaHome.cache.appending(path: "compiled", directoryHint: .isDirectory)
    }

    /// The location of a model's file. Throws `.missingComponent` when it is not installed.
    package static func file(of model: ModelDescription) throws(KinemaError) -> URL {
        if let location = model.location { return location }
        guard let file = KinemaHome.find("models/\(model.file)") else {
            throw KinemaHome.missing("model \(model.name)")
        }
        return file
    }

    /// The verified location of a model's file; throws `.missingComponent` when it is absent or not the published one.
    package static func verifiedFile(of model: ModelDescription) throws -> URL {
        _ = try verifiedBytes(of: model)
        return try file(of: model)
    }

    private static func verifiedBytes(of model: ModelDescription) throws -> [UInt8] {
        let file = try file(of: model)
        let bytes = (try? BoundedFile.read(file, limit: ModelGraph.maximumSize)) ?? []
        guard ContentDigest.sha256(of: bytes) == model.sha256 else {
            throw model.error(model.location == nil ? "is not the published model \(model.name)" : "has changed", file)
        }
        return bytes
    }

    /// The inference library's version and location, and the processor; throws `.missingComponent`.
    package static func runtime() throws -> (version: String, library: URL, processor: String, capabilities: String) {
        let runtime = try OpenVINOHandle.shared(.automatic, .throughput)
        return (
            runtime.version, runtime.library, runtime.property("FULL_DEVICE_NAME"),
            runtime.property("OPTIMIZATION_CAPABILITIES")
        )
    }

    /// Verifies the checksums of the inference library, unless set by `KINEMA_OPENVINO`; throws `.missingComponent`.
    package static func verifyRuntime() throws {
        guard KinemaHome.named("KINEMA_OPENVINO") == nil else { return }
        try OpenVINOHandle.verify(in: try runtime().library.deletingLastPathComponent())
    }

    /// The reason not to trust the cache of compiled models, so that each start compiles them; nil if there is none.
    package static var cacheProblem: String? { TrustedPath.problem(with: standardCache) }

    /// The compiled model, loaded once and shared by all callers.
    package func model(_ description: ModelDescription, precision: Precision) throws -> CompiledModelHandle {
        let key = Key(description: description, precision: precision)
        let slot = slots.withLock { slots in
            let slot = slots[key] ?? Slot()
            slots[key] = slot
            return slot
        }
        return try slot.model.withLock { loaded in
            if let loaded { return loaded }
            let requests = max(2, ProcessInfo.processInfo.activeProcessorCount)
            let model = try CompiledModelHandle(
                description, precision: precision, goal: goal, device: device, cache: cache, maximumRequests: requests)
            loaded = model
            return model
        }
    }

    package func model(_ chosen: ChosenModel, precision: Precision) throws -> CompiledModelHandle {
        try model(chosen.poseNet?.description ?? chosen.description, precision: precision)
    }

    /// Loads several models in parallel, which takes little longer than one; errors are left to `model`.
    func prepare(_ descriptions: [ModelDescription], precision: Precision) {
        DispatchQueue.concurrentPerform(iterations: descriptions.count) { index in
            _ = try? model(descriptions[index], precision: precision)
        }
    }

    /// Writes the verified model without its unused outputs to a temporary file.
    static func prunedFile(of description: ModelDescription) throws -> URL {
        let graph = TFLiteGraph(try verifiedBytes(of: description), file: description.file)
        let pruned = try graph.keeping(outputs: Set(description.outputs.map(\.name)))
        let file = FileManager.default.temporaryDirectory
            .appending(path: "kinema-\(description.name)-\(UUID().uuidString).tflite")
        do {
            try TrustedPath.create(file, pruned)
        } catch {
            throw KinemaError.unwritable(file.path, error)
        }
        return file
    }
}
