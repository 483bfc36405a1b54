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

        /// What repetitions are counted and coached with: a shallow one in a shaky picture is lost to the noise of 16
        /// bits (of 31 recordings 29 are counted right in 32 bits, 28 in 16).
        package static let counting = f32
    }

    /// What the cores work for.
    enum Aim: Hashable, Sendable {
        /// Many answers: two inferences at a time, each on its share of the cores, take a third less processor time than
        /// one over all of them.
        case throughput
        /// An early answer: all cores for one inference at a time.
        case latency
    }

    /// The store that everything uses unless told otherwise.
    public static let shared = ModelStore()
    /// The store of live streams, where one frame at a time is waited for: its answers come after two thirds of the
    /// time, for a quarter more processor time.
    package static let live = ModelStore(cache: standardCache, aim: .latency)

    private struct Key: Hashable {
        let sha256: String
        let precision: Precision
    }

    /// A model's place: the lock is held while it is made, so that others can be made meanwhile.
    private final class Slot: Sendable {
        let model = Mutex<CompiledModelHandle?>(nil)
    }

    private let slots = Mutex<[Key: Slot]>([:])
    private let cache: URL
    private let aim: Aim

    /// Makes a store of its own; compiled models are not shared with other stores.
    public convenience init() {
        self.init(cache: Self.standardCache)
    }

    /// Makes a store that keeps compiled models in a folder.
    init(cache: URL, aim: Aim = .throughput) {
        (self.cache, self.aim) = (cache, aim)
    }

    private static var standardCache: URL {
        KinemaHome.cache.appending(path: "compiled", directoryHint: .isDirectory)
    }

    /// Where a model's file lies.
    ///
    /// Throws `.missingComponent` when it is not installed.
    public static func file(of model: ModelDescription) throws(KinemaError) -> URL {
        if let location = model.location { return location }
        guard let file = KinemaHome.find("models/\(model.file)") else {
            throw KinemaHome.missing("model \(model.name)")
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
            throw model.error(
                model.location == nil ? "is not the published model \(model.name)" : "was changed meanwhile", file)
        }
        return bytes
    }

    /// The version of the inference library, and where it lies.
    ///
    /// Throws `.missingComponent` when it is not installed.
    public static func runtime() throws -> (version: String, library: URL, processor: String, capabilities: String) {
        let runtime = try OpenVINOHandle.shared(.automatic, .throughput)
        return (
            runtime.version, runtime.library, runtime.property("FULL_DEVICE_NAME"),
            runtime.property("OPTIMIZATION_CAPABILITIES")
        )
    }

    /// Compares every file of the inference library that is loaded with the checksums that were noted when it was fetched;
    /// what `KINEMA_OPENVINO` names has none.
    ///
    /// Throws `.missingComponent` naming the file that differs.
    package static func verifyRuntime() throws {
        guard KinemaHome.named("KINEMA_OPENVINO") == nil else { return }
        try OpenVINOHandle.verify(in: try runtime().library.deletingLastPathComponent())
    }

    /// What speaks against taking compiled models from where they are kept, so that each start compiles anew; nil when
    /// nothing does.
    package static var cacheObjection: String? { TrustedPlace.objection(to: standardCache) }

    /// The compiled model, shared by all who ask for the same one.
    func model(_ description: ModelDescription, precision: Precision) throws -> CompiledModelHandle {
        let key = Key(sha256: description.sha256, precision: precision)
        let slot = slots.withLock { slots in
            let slot = slots[key] ?? Slot()
            slots[key] = slot
            return slot
        }
        return try slot.model.withLock { known in
            if let known { return known }
            let requests = max(2, ProcessInfo.processInfo.activeProcessorCount)
            let model = try CompiledModelHandle(
                description, precision: precision, aim: aim, cache: cache, maximumRequests: requests)
            known = model
            return model
        }
    }

    /// Makes several models ready at the same time, which takes hardly longer than one; `model` throws what goes wrong.
    func prepare(_ descriptions: [ModelDescription], precision: Precision) {
        DispatchQueue.concurrentPerform(iterations: descriptions.count) { index in
            _ = try? model(descriptions[index], precision: precision)
        }
    }

    /// A temporary file with the model, its checksum compared, without the outputs that nobody takes.
    static func cut(_ description: ModelDescription) throws -> URL {
        let bytes = try verifiedBytes(of: description)
        let cut = try TFLiteGraph(bytes, file: description.file).keeping(outputs: Set(description.outputs.map(\.name)))
        let file = FileManager.default.temporaryDirectory
            .appending(path: "kinema-\(description.name)-\(UUID().uuidString).tflite")
        do {
            try TrustedPlace.create(file, cut)
        } catch {
            let reason = (error as NSError).localizedDescription
            throw KinemaError(.unwritableOutput, "cannot prepare model \(description.name): \(reason)", file: file.path)
        }
        return file
    }
}
