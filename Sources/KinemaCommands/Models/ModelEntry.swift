import Foundation
import Kinema

/// One line of `kinema models`: a built-in model, one that can be fetched, or a user's own.
struct ModelEntry {
    var name, purpose, licence, origin, sha256, file: String
    var path: String?
    var remedy: String
    var byteCount: Int?
    var accuracy: String?
    var input: ModelDescription.Tensor?
    var outputs: [ModelDescription.Tensor] = []
    var milliseconds: Double?
    private var runtime: ModelDescription?

    /// Built-in models first, in the order of their use, then those that can be fetched, then a user's own.
    static var all: [ModelEntry] {
        let known = FetchableModel.all.map(\.manifest.name)
        return ModelCatalogue.all.map(ModelEntry.init) + FetchableModel.all.map(ModelEntry.init)
            + ChosenModel.installedNames.filter { !known.contains($0) }.map(ModelEntry.init)
    }

    private init(_ model: ModelDescription) {
        (name, purpose, licence, origin) = (model.name, model.purpose, model.licence, model.origin)
        (sha256, file, input, outputs) = (model.sha256, model.file, model.input, model.outputs)
        path = try? ModelStore.file(of: model).path
        byteCount = path.flatMap { BoundedFile.size(of: URL(filePath: $0)) }
        remedy = KinemaHome.remedy
        if model == ModelCatalogue.bodyLandmarks {
            accuracy = "with body-detector 0.221 AP on 65 COCO images (script/coco)"
        }
        runtime = path == nil ? nil : model
    }

    private init(_ model: FetchableModel) {
        let name = model.manifest.name
        self.init(model.manifest, try? ChosenModel(name), remedy: "kinema models fetch \(name)")
        (byteCount, accuracy) = (model.byteCount, model.accuracy)
    }

    private init(_ name: String) {
        do throws(KinemaError) {
            let model = try ChosenModel(name)
            self.init(model.manifest, model, remedy: "")
            byteCount = model.graph.byteCount
        } catch {
            self.init(refused: name, error.message)
        }
    }

    private init(refused name: String, _ reason: String) {
        (self.name, purpose, remedy) = (name, "does not fit: \(reason)", "kinema models check \(name)")
        (licence, origin, sha256, file) = ("unknown", "unknown", "", "")
    }

    private init(_ manifest: ModelManifest, _ installed: ChosenModel?, remedy: String) {
        let purposes: [ModelManifest.Kind: String] = [
            .detector: "detects the boxes of people, for a top-down model",
            .topDown: "locates the joints of each person that a detector found",
            .oneStage: "detects the joints of everyone in a frame",
        ]
        (name, purpose) = (manifest.name, purposes[manifest.kind] ?? manifest.kind.rawValue)
        (licence, origin) = (manifest.licence, manifest.origin)
        (sha256, file, self.remedy) = (manifest.sha256 ?? "", manifest.file, remedy)
        guard let installed else { return }
        let description = installed.description
        (path, runtime, sha256) = (installed.graph.file.path, description, installed.graph.sha256)
        (input, outputs) = (description.input, description.outputs)
    }

    // MARK: - Speed

    /// Measures an installed model: the median of 30 inferences, after three that warm up.
    mutating func measure(_ precision: ModelStore.Precision) throws {
        guard let runtime else { return }
        let compiled = try ModelStore.allCores.model(runtime, precision: precision)
        let clock = ContinuousClock()
        let times = try (0..<33).map { _ in
            try compiled.withRequest { request in try clock.measure { try request.infer() } }
        }
        milliseconds = times.dropFirst(3).sorted()[15] / .milliseconds(1)
    }

    // MARK: - Output

    static let header = "name,file,licence,sha256,installed,bytes,milliseconds"

    var row: String {
        [
            name, file, licence, sha256, "\(path != nil)", byteCount.map { "\($0)" } ?? "",
            milliseconds.map { String(format: "%.2f", $0) } ?? "",
        ].map(DelimitedText.cell).joined(separator: ",")
    }

    var text: String {
        func shape(_ tensor: ModelDescription.Tensor) -> String {
            "\(tensor.name) \(tensor.shape.map(String.init).joined(separator: "x")): \(tensor.meaning)"
        }
        var lines = ["\(name): \(purpose)", "  licence   \(licence)", "  origin    \(origin)", "  sha-256   \(sha256)"]
        lines.append("  file      \(path ?? "\(file) is not installed; \(remedy)")")
        if let byteCount { lines.append("  size      " + String(format: "%.1f MB", Double(byteCount) / 1e6)) }
        if let accuracy { lines.append("  accuracy  \(accuracy)") }
        if let milliseconds { lines.append("  speed     " + String(format: "%.2f ms an inference", milliseconds)) }
        if let input { lines.append("  input     \(shape(input))") }
        lines += outputs.map { "  output    \(shape($0))" }
        return lines.map { PlainText.oneLine($0) }.joined(separator: "\n")
    }

    func write(_ json: inout JSONText) {
        func tensor(_ tensor: ModelDescription.Tensor, _ json: inout JSONText) {
            json.object { entry in
                entry.field("name", tensor.name)
                entry.array("shape") { sizes in tensor.shape.forEach { sizes.integer($0) } }
                entry.field("meaning", tensor.meaning)
            }
        }
        json.object { json in
            for (key, value) in [
                ("name", name), ("purpose", purpose), ("file", file), ("licence", licence), ("origin", origin),
                ("sha256", sha256), ("path", path), ("accuracy", accuracy),
            ] {
                json.field(key, value)
            }
            json.field("bytes", byteCount)
            if let milliseconds { json.field("milliseconds", milliseconds) }
            json.key("input")
            if let input { tensor(input, &json) } else { json.null() }
            json.array("outputs") { list in outputs.forEach { tensor($0, &list) } }
        }
    }
}
