@testable import KinemaPose
import Foundation
import KinemaTestSupport
import Testing

/// Code is taken only from where nobody else could have put it.
struct TrustedPathTests {
    private let folder: TemporaryFolder
    private let home: URL

    init() throws {
        folder = try TemporaryFolder()
        home = folder.file("above/home")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        try set(0o755, folder.file("above"), home)
    }

    private func set(_ mode: Int, _ urls: URL...) throws {
        for url in urls { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path) }
    }

    @Test func `your own folder in the shared temporary folder is trusted`() {
        #expect(TrustedPath.problem(with: home) == nil)
        #expect(TrustedPath.problem(with: home.appending(path: "absent/file")) == nil)
    }

    @Test func `a world-writable folder is refused anywhere in the path`() throws {
        for place in [home, folder.file("above")] {
            try set(0o777, place)
            let problem = try #require(TrustedPath.problem(with: home))
            #expect(problem.contains("\(place.path) may be written to by everybody"), "\(problem)")
            #expect(problem.contains("chmod go-w \(place.path)") && !problem.contains("\n"))
            try set(0o1777, place)
            #expect(TrustedPath.problem(with: home) == nil)
            try set(0o755, place)
        }
    }

    @Test func `a link is trusted only if the path to its target is`() throws {
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "above/../above/home")
        #expect(TrustedPath.problem(with: link) == nil)
        try set(0o777, folder.file("above"))
        #expect(TrustedPath.problem(with: link)?.contains("\(folder.file("above").path) may be written") == true)
        let loop = folder.file("loop")
        try FileManager.default.createSymbolicLink(atPath: loop.path, withDestinationPath: "loop")
        #expect(TrustedPath.problem(with: loop)?.contains("leads nowhere") == true)
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `somebody else's folder or group is refused`() throws {
        chown(folder.file("above").path, 12345, 0)
        #expect(TrustedPath.problem(with: home)?.contains("belongs to user 12345") == true)
        chown(folder.file("above").path, 0, 12345)
        #expect(TrustedPath.problem(with: home) == nil)
        try set(0o775, folder.file("above"))
        #expect(TrustedPath.problem(with: home)?.contains("group 12345") == true)
        // A link of somebody else's may lead elsewhere tomorrow.
        try set(0o755, folder.file("above"))
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: home)
        lchown(link.path, 12345, 0)
        #expect(TrustedPath.problem(with: link)?.contains("belongs to user 12345") == true)
    }

    @Test func `a private file is never written over one that is there, nor through a link`() throws {
        let file = folder.file("model.tflite")
        try TrustedPath.create(file, [1, 2, 3])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(throws: POSIXError.self) { try TrustedPath.create(file, [4]) }
        let link = folder.file("link.tflite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("elsewhere"))
        #expect(throws: POSIXError.self) { try TrustedPath.create(link, [4]) }
        #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
        #expect(!FileManager.default.fileExists(atPath: folder.file("elsewhere").path))
    }

    @Test func `compiled models are kept in a folder that nobody else sees`() throws {
        let cache = folder.file("new/compiled")
        #expect(TrustedPath.prepare(cache))
        for place in [cache, cache.deletingLastPathComponent()] {
            #expect(try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func `compiled models that others may have written are not used`() throws {
        let cache = folder.file("cache")
        func isFromCache() throws -> Bool {
            try ModelStore(cache: cache).model(ModelCatalogue.bodyDetector, precision: .f32).isFromCache
        }
        #expect(try !isFromCache())
        #expect(try isFromCache())
        try set(0o777, cache)
        #expect(try !isFromCache())
        try set(0o700, cache)
        #expect(try isFromCache())
        let file = cache.appending(
            path: try #require(FileManager.default.contentsOfDirectory(atPath: cache.path).first))
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        try set(0o666, file)
        #expect(try !isFromCache())
        // It was compiled anew and put in the place of the doubtful one.
        #expect(try isFromCache())
    }
}
