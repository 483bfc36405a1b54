@testable import KinemaPose
import Foundation
import KinemaTestSupport
import Testing

/// Models that were compiled once are kept for the next start, and never trusted when the file is not whole.
@Suite(.serialized)
struct CompiledModelCacheTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func load() throws -> CompiledModelHandle {
        try ModelStore(cache: folder.url).model(ModelCatalogue.bodyDetector, precision: .f32)
    }

    private var kept: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// What the model says about a fixed pattern.
    private func answer(_ model: CompiledModelHandle) throws -> [Float] {
        try model.withRequest { request in
            for index in request.input.indices { request.input[index] = UInt8(truncatingIfNeeded: index &* 31) }
            try request.infer()
            return request.outputs.flatMap { output in (0..<output.count).map { output[$0] } }
        }
    }

    @Test func `the second start takes what the first compiled`() throws {
        let first = try load()
        #expect(!first.isFromCache)
        let files = try kept
        #expect(files.count == 1 && files[0].hasPrefix("body-detector-") && files[0].hasSuffix(".compiled"))
        let second = try load()
        #expect(second.isFromCache)
        #expect(try kept == files)
        let answers = [try answer(first), try answer(second)]
        #expect(answers[0] == answers[1] && Set(answers[0]).count > 1000)
    }

    @Test func `a damaged file is compiled again and replaced`() throws {
        _ = try load()
        let file = folder.file(try #require(kept.first))
        let whole = try Data(contentsOf: file)
        var flipped = whole
        flipped[whole.count / 2] ^= 1
        var resealed = whole
        resealed[whole.count - 1] ^= 1
        let damaged = [
            flipped, resealed, whole.prefix(whole.count / 2), whole.dropLast(), whole + [0], whole.prefix(16), Data(),
            Data("not a model at all, but longer than a seal".utf8),
        ]
        for (index, data) in damaged.enumerated() {
            try data.write(to: file, options: .atomic)
            #expect(try !load().isFromCache, "damage \(index)")
            #expect(try load().isFromCache, "after damage \(index)")
        }
        #expect(try kept.count == 1)
    }

    @Test func `a sealed file that is no model is compiled again`() throws {
        _ = try load()
        let file = folder.file(try #require(kept.first))
        let text = Data(String(repeating: "sealed, yet no model; ", count: 50).utf8)
        #expect(CachedModelHandle.store(at: file) { (try? text.write(to: URL(filePath: $0))) != nil })
        let again = try load()
        #expect(!again.isFromCache)
        #expect(try answer(again).allSatisfy(\.isFinite))
        #expect(try load().isFromCache)
    }

    @Test func `a model in use outlives its file`() throws {
        _ = try load()
        let model = try load()
        try #require(model.isFromCache)
        let before = try answer(model)
        try FileManager.default.removeItem(at: folder.file(try #require(kept.first)))
        #expect(try answer(model) == before)
    }

    @Test func `without a folder to write to the model is compiled each time`() throws {
        let blocked = folder.file("file")
        try Data("in the way".utf8).write(to: blocked)
        for _ in 0..<2 {
            let store = ModelStore(cache: blocked.appending(path: "compiled"))
            #expect(try !store.model(ModelCatalogue.bodyDetector, precision: .f32).isFromCache)
        }
    }

    @Test func `starts at the same time leave one whole file`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try load() } }
            try await group.waitForAll()
        }
        #expect(try kept.count == 1)
        #expect(try load().isFromCache)
    }
}
