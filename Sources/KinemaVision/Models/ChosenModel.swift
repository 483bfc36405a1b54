package import Foundation
public import KinemaCore

/// A model chosen by name, file or folder: its description, checked against its file.
public struct ChosenModel: Sendable, Hashable {
    /// The description, complete; sizes are those of the model's input.
    package let manifest: ModelManifest
    package let graph: ModelGraph
    /// Whether the description comes from a `model.json` rather than from recognising the file.
    package let isDescribed: Bool
    let layout: ModelLayout
    /// PoseNet's own reading of the file; nil for any other model.
    let poseNet: PoseNetModel?

    package static let descriptionFile = "model.json"

    /// Finds a model by an installed model's name, or by the path of a `model.json`, its folder or a model file.
    ///
    /// Throws `.unreadableInput` for a model that is absent, damaged or of another kind.
    public init(_ text: String) throws(KinemaError) {
        guard let place = Self.place(text) else {
            let installed = Self.installedNames
            let names = installed.isEmpty ? "none is installed" : "installed are \(installed.joined(separator: ", "))"
            let isName = ModelManifest.isName(text) && !text.contains(".")
            throw KinemaError(
                isName ? .invalidArgument : .unreadableInput,
                FetchableModel.named(text) == nil
                    ? "no model of this name, and no such file or folder; \(names)"
                    : "is not installed; kinema models fetch \(text)",
                file: PlainText.prefix(PlainText.oneLine(text), bytes: PlainText.nameBytes))
        }
        try self.init(contentsOf: place)
    }

    /// Reads a `model.json`, a folder that holds one, or a single model file, whose layout is then recognised.
    package init(contentsOf url: URL) throws(KinemaError) {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        let url = isFolder.boolValue ? url.appending(path: Self.descriptionFile) : url
        if url.pathExtension.lowercased() == "json" {
            let manifest = try ModelManifest.read(Self.description(at: url), file: url)
            let graph = try ModelGraph(contentsOf: url.deletingLastPathComponent().appending(path: manifest.file))
            try self.init(manifest, graph, isDescribed: true)
        } else {
            let beside = url.deletingLastPathComponent().appending(path: Self.descriptionFile)
            if let bytes = try? Self.description(at: beside),
                let manifest = try? ModelManifest.read(bytes, file: beside), manifest.file == url.lastPathComponent
            {
                try self.init(manifest, ModelGraph(contentsOf: url), isDescribed: true)
            } else {
                let graph = try ModelGraph(contentsOf: url)
                try self.init(ModelManifest(recognising: graph), graph, isDescribed: false)
            }
        }
    }

    private init(_ manifest: ModelManifest, _ graph: ModelGraph, isDescribed: Bool) throws(KinemaError) {
        if let sha256 = manifest.sha256, sha256 != graph.sha256 {
            throw KinemaError.unreadable(
                "is not the file its description names (SHA-256 differs); copy it again", graph.file.path)
        }
        var manifest = manifest
        layout = try ModelLayout(manifest.decoder, manifest, graph)
        (manifest.input.width, manifest.input.height) = (layout.width, layout.height)
        poseNet = manifest.decoder == .posenet ? try PoseNetModel(contentsOf: graph.file) : nil
        (self.manifest, self.graph, self.isDescribed) = (manifest, graph, isDescribed)
    }

    /// The detector that the description names; nil if it names none. Throws if that detector is unusable.
    func namedDetector() throws(KinemaError) -> ChosenModel? {
        guard let name = manifest.detector else { return nil }
        let beside = graph.file.deletingLastPathComponent().appending(path: name)
        let isBeside = FileManager.default.fileExists(atPath: beside.path)
        let detector = try isBeside ? ChosenModel(contentsOf: beside) : ChosenModel(name)
        guard detector.manifest.kind == .detector else { throw detector.wrongKind("a detector is needed") }
        return detector
    }

    func wrongKind(_ need: String) -> KinemaError {
        KinemaError.unreadable(
            "is a \(manifest.kind.rawValue) model (\(manifest.decoder.rawValue)); \(need)", graph.file.path)
    }

    /// The runtime's description of the graph, with the outputs in the decoder's order.
    package var description: ModelDescription {
        let input = manifest.input
        let port = graph.inputs.first
        return ModelDescription(
            name: manifest.name, purpose: manifest.kind.rawValue, file: manifest.file, licence: manifest.licence,
            origin: manifest.origin, sha256: graph.sha256,
            input: .init(
                name: port?.name ?? "", shape: [1, input.height, input.width, 3],
                meaning: "\(input.channels.rawValue), \(input.fit.rawValue)"),
            outputs: layout.outputs.map {
                .init(name: graph.outputs[$0].name, shape: graph.outputs[$0].shape, meaning: manifest.decoder.rawValue)
            }, mean: input.mean, scale: input.scale, location: graph.file, hasFloatOutputs: true,
            isPlanar: layout.isPlanar, isBlueFirst: input.channels == .bgr, isDynamic: layout.isDynamic,
            outputPlaces: layout.outputs)
    }

    // MARK: - Places

    /// The names of the installed models that have a description, sorted.
    package static var installedNames: [String] {
        guard let folder = KinemaHome.find("models"),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        return names.filter { ModelManifest.isName($0) && installed($0) != nil }.sorted()
    }

    private static func installed(_ name: String) -> URL? { KinemaHome.find("models/\(name)/\(descriptionFile)") }

    private static func place(_ text: String) -> URL? {
        if ModelManifest.isName(text), let installed = installed(text) { return installed }
        return !text.isEmpty && FileManager.default.fileExists(atPath: text) ? URL(filePath: text) : nil
    }

    private static func description(at url: URL) throws(KinemaError) -> Data {
        Data(
            try BoundedFile.read(
                url, limit: ModelManifest.maximumSize, remedy: "a model's folder needs a model.json",
                excess: "it describes no model"))
    }
}
