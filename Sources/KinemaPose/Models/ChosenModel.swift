package import Foundation
public import KinemaCore
import KinemaMedia

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

/// The options for detecting bodies with a chosen model.
public struct ChosenModelOptions: Sendable, Hashable {
    package let model: ChosenModel
    package let detector: ChosenModel?
    /// The maximum number of people to track at once.
    public var maximumPeople = 16
    /// Run the detector on every Nth frame; nil to run it as often as needed.
    public var detectEvery: Int?
    /// The numeric precision of inference; it does not affect 8-bit models.
    package var precision: ModelStore.Precision

    package var name: String { model.manifest.name }

    /// Creates options; a top-down model uses the detector that its description names, if any.
    ///
    /// Throws `.unreadableInput` for a model without joints or an unsuitable detector.
    public init(
        model: ChosenModel, detector: ChosenModel? = nil, precision: ModelStore.Precision = .f32
    ) throws(KinemaError) {
        guard model.manifest.kind != .detector else {
            throw model.wrongKind("choose a model that finds joints, and this one as its detector")
        }
        if let detector {
            guard detector.manifest.kind == .detector else { throw detector.wrongKind("a detector is needed") }
            guard model.manifest.kind == .topDown else { throw model.wrongKind("it finds everyone without a detector") }
        }
        self.model = model
        if let detector { self.detector = detector } else { self.detector = try model.namedDetector() }
        self.precision = precision
    }
}

/// The model that detects bodies: the built-in one, or one that the user chooses.
public enum BodyModel: Sendable, Hashable {
    /// BlazePose, with depth.
    case blazePose
    /// PoseNet.
    case poseNet(PoseNetOptions)
    /// Any other model.
    case chosen(ChosenModelOptions)
    /// BlazePose, or the other model for pictures and for recordings of three or more people; live sources use BlazePose.
    ///
    /// The other model has to be top-down, with a detector of its own.
    case automatic(ChosenModelOptions)

    /// The chosen model with its options; throws a `KinemaError` for an unsuitable model or detector.
    public init(
        _ model: ChosenModel, detector: ChosenModel? = nil, precision: ModelStore.Precision = .f32
    ) throws(KinemaError) {
        let options = try ChosenModelOptions(model: model, detector: detector, precision: precision)
        self = model.poseNet.map { .poseNet(PoseNetOptions(model: $0, precision: precision)) } ?? .chosen(options)
    }
}

extension BodyModel {
    /// The name used by the command and in results; for an automatic choice, that of the better model.
    package var name: String {
        switch self {
        case .blazePose: "blazepose"
        case .poseNet: "posenet"
        case .chosen(let options), .automatic(let options): options.name
        }
    }

    /// The files and options that determine the result, the same on every machine. Throws Foundation's error if a
    /// PoseNet file has gone.
    package var identity: String {
        get throws {
            switch self {
            case .blazePose: name
            case .poseNet(let options):
                "\(try ContentDigest.sha256(contentsOf: options.model.file)) \(options.configuration) \(options.precision)"
            case .chosen(let options), .automatic(let options):
                ([options.model, options.detector].map { $0.map { "\($0.manifest) \($0.graph.sha256)" } ?? "-" } + [
                    "\(options.maximumPeople) \(options.detectEvery ?? 0) \(options.precision)"
                ]).joined(separator: " ")
            }
        }
    }
}

/// The findings about a model file, for `kinema models check`.
package struct ModelCheck: Sendable {
    package let graph: ModelGraph?
    package let model: ChosenModel?
    package let problem: KinemaError?

    package init(_ text: String) {
        do throws(KinemaError) {
            let model = try ChosenModel(text)
            (graph, self.model, problem) = (model.graph, model, nil)
        } catch {
            graph = try? ModelGraph(contentsOf: URL(filePath: text))
            (model, problem) = (nil, error)
        }
    }

    package var lines: [String] {
        var lines = [String]()
        if let graph {
            lines.append("file     \(graph.file.path), \(graph.format.rawValue), \(graph.byteCount) bytes")
            lines += graph.inputs.map { "input    \($0)" } + graph.outputs.map { "output   \($0)" }
        }
        guard let model else { return lines + ["problem  \(problem.map(\.description) ?? "unknown")"] }
        let (manifest, input) = (model.manifest, model.manifest.input)
        let source = model.isDescribed ? "described" : "recognised by its shapes"
        lines.append("is       \(manifest.kind.rawValue), \(manifest.decoder.rawValue) (\(source))")
        func numbers(_ values: [Float]) -> String { values.map { "\($0)" }.joined(separator: " ") }
        lines.append(
            "takes    \(input.width)x\(input.height) \(input.channels.rawValue), \(input.fit.rawValue), "
                + "mean \(numbers(input.mean)), scale \(numbers(input.scale))")
        if let joints = manifest.joints {
            let known = joints.keys.compactMap(\.self).count
            lines.append(
                "joints   \(joints.set?.rawValue ?? "\(joints.keys.count) named"), \(known) of them known to Kinema")
        }
        lines += ["licence  \(manifest.licence)", "origin   \(manifest.origin)"]
        return lines
    }
}
