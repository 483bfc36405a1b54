@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

/// The checks of quantised models. What `script/quantise` makes is checked by that script, on rendered people; here a
/// few bytes take the place of the graph, since the checks come before anything is read from it.
struct QuantisedModelTests {
    private let folder: TemporaryFolder
    private let model = ModelCatalogue.bodyLandmarks

    init() throws {
        folder = try TemporaryFolder()
        try install(source: model.sha256, recipe: QuantisedModel.recipe)
    }

    private func install(source: String, recipe: Int) throws {
        let note = #"{"recipe": \#(recipe), "models": {"\#(model.name)": {"source": "\#(source)"}}}"#
        let files = ["\(model.name).xml": "<net/>", "\(model.name).bin": "weights", "provenance.json": note]
        var sums = ""
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.file(name))
            sums += "\(ContentDigest.sha256(of: Array(text.utf8)))  \(name)\n"
        }
        try Data(sums.utf8).write(to: folder.file("SHA256SUMS"))
    }

    private func problem() -> KinemaError? {
        do throws(KinemaError) {
            _ = try QuantisedModel(of: model, in: folder.url)
            return nil
        } catch {
            return error
        }
    }

    @Test func `files that match their sums and this model are accepted`() throws {
        let found = try QuantisedModel(of: model, in: folder.url)
        #expect(found.file.lastPathComponent == "body-landmarks.xml")
        let first = found.sha256
        try Data("other weights".utf8).write(to: folder.file("\(model.name).bin"))
        #expect(problem()?.file?.hasSuffix("body-landmarks.bin") == true)
        let sum = ContentDigest.sha256(of: Array("other weights".utf8))
        let list = try String(contentsOf: folder.file("SHA256SUMS"), encoding: .utf8)
        let old = ContentDigest.sha256(of: Array("weights".utf8))
        try Data(list.replacing(old, with: sum).utf8).write(to: folder.file("SHA256SUMS"))
        // The cache's key changes with any of the files.
        #expect(try QuantisedModel(of: model, in: folder.url).sha256 != first)
    }

    @Test(arguments: ["body-landmarks.xml", "body-landmarks.bin", "provenance.json"])
    func `a changed file is refused`(_ name: String) throws {
        var bytes = try Data(contentsOf: folder.file(name))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: folder.file(name))
        let refusal = try #require(problem())
        #expect(refusal.code == .missingComponent && refusal.file?.hasSuffix(name) == true)
        #expect(refusal.message.contains("script/quantise"))
    }

    @Test(arguments: ["body-landmarks.xml", "body-landmarks.bin", "provenance.json", "SHA256SUMS"])
    func `an absent file is refused`(_ name: String) throws {
        try FileManager.default.removeItem(at: folder.file(name))
        #expect(problem()?.code == .missingComponent)
    }

    @Test func `files that others may write are refused`() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o666], ofItemAtPath: folder.file("body-landmarks.bin").path)
        #expect(problem()?.message.contains("everybody") == true)
    }

    @Test func `a model made from another source or recipe is refused`() throws {
        try install(source: ModelCatalogue.handLandmarks.sha256, recipe: QuantisedModel.recipe)
        #expect(problem()?.message.contains("another model") == true)
        try install(source: model.sha256, recipe: QuantisedModel.recipe + 1)
        #expect(problem()?.message.contains("another version") == true)
        try install(source: model.sha256, recipe: QuantisedModel.recipe)
        #expect(problem() == nil)
    }

    @Test func `the hand's graph is no body's`() throws {
        #expect(throws: KinemaError.self) {
            try QuantisedModel(of: ModelCatalogue.handLandmarks, in: folder.url)
        }
    }

    @Test func `the script writes the recipe that is expected`() throws {
        let script = try String(
            contentsOf: SharedData.package.appending(path: "script/measure/quantise.py"), encoding: .utf8)
        #expect(script.contains("\nRECIPE = \(QuantisedModel.recipe)\n"))
        #expect(script.contains("\nFOLDER = \"\(QuantisedModel.folder)\"\n"))
        for model in QuantisedModel.all { #expect(script.contains("\"\(model.name)\"")) }
    }
}
