package import Foundation
package import KinemaCore
import KinemaMedia

/// A catalogue model with 8-bit weights and activations, made on this machine by `script/quantise`. Its SHA-256 is
/// unknown, so the folder must be writable by trusted users only, each file must match the checksum beside it, and the
/// provenance must name the published model's SHA-256 and the recipe's version.
struct QuantisedModel: Sendable {
    /// The graph, OpenVINO's `.xml`; the weights lie beside it in the `.bin` file of the same name.
    let file: URL
    /// The SHA-256 of the list of checksums, which changes whenever any of the files does.
    let sha256: String

    /// The folder below Kinema's home.
    static let folder = "models-int8"
    /// The version of the recipe in `script/measure/quantise.py`, raised whenever its results change.
    static let recipe = 1
    /// The models that the script quantises; the detectors run in 16 bits beside them.
    static let all = [ModelCatalogue.bodyLandmarks, ModelCatalogue.handLandmarks]

    private static let maximumListSize = 1 << 16
    private static let maximumGraphSize = 64 << 20

    private struct Provenance: Decodable {
        struct Model: Decodable {
            let source: String
        }

        let recipe: Int
        let models: [String: Model]
    }

    /// The quantised form of a model; nil for a detector of the catalogue. Throws `.missingComponent` when it is
    /// absent, damaged or outdated, `.unsupported` for a user's own model.
    init?(of model: ModelDescription) throws(KinemaError) {
        guard model.location == nil else {
            throw KinemaError(
                .unsupported,
                "there is no int8 for \(model.name), only for the built-in landmarks; leave out --precision")
        }
        guard Self.all.contains(model) else { return nil }
        let path = "\(Self.folder)/\(model.name).xml"
        guard let file = KinemaHome.find(path) else {
            throw KinemaError(
                .missingComponent, "there is no int8 model \(model.name) yet; make it with script/quantise")
        }
        try self.init(of: model, in: file.deletingLastPathComponent())
    }

    init(of model: ModelDescription, in folder: URL) throws(KinemaError) {
        let list = folder.appending(path: "SHA256SUMS")
        let bytes = try Self.bytes(of: list, limit: Self.maximumListSize)
        let sums = Dictionary(OpenVINOHandle.checksums(in: bytes), uniquingKeysWith: { $1 })
        func verified(_ name: String, limit: Int) throws(KinemaError) -> [UInt8] {
            let file = folder.appending(path: name)
            let bytes = try Self.bytes(of: file, limit: limit)
            guard let sum = sums[name], ContentDigest.sha256(of: bytes) == sum else {
                throw Self.error("differs from what script/quantise made", file)
            }
            return bytes
        }
        let note = try verified("provenance.json", limit: Self.maximumListSize)
        for suffix in ["xml", "bin"] { _ = try verified("\(model.name).\(suffix)", limit: Self.maximumGraphSize) }
        guard let provenance = try? JSONDecoder().decode(Provenance.self, from: Data(note)),
            provenance.recipe == Self.recipe, provenance.models[model.name]?.source == model.sha256
        else { throw Self.error("was made from another model or by another version", folder) }
        file = folder.appending(path: "\(model.name).xml")
        sha256 = ContentDigest.sha256(of: bytes)
    }

    private static func error(_ reason: String, _ file: URL) -> KinemaError {
        KinemaError(.missingComponent, "\(reason); run script/quantise again", file: file.path)
    }

    private static func bytes(of file: URL, limit: Int) throws(KinemaError) -> [UInt8] {
        if let problem = TrustedPath.problem(with: file) { throw KinemaError(.missingComponent, problem) }
        guard let bytes = try? BoundedFile.read(file, limit: limit) else { throw error("cannot be read", file) }
        return bytes
    }
}

extension ModelStore {
    package static var quantisedFolder: URL? { KinemaHome.find(QuantisedModel.folder) }

    package static let quantisable = QuantisedModel.all

    /// The verified location of a model's quantised form, nil if it has none; throws `.missingComponent`.
    package static func quantisedFile(of model: ModelDescription) throws(KinemaError) -> URL? {
        try QuantisedModel(of: model)?.file
    }
}
