import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaStudio

struct UploadStoreTests {
    @Test func `the folder of a studio that was killed is taken away and that of one that runs is kept`() throws {
        let parent = try TemporaryFolder()
        let running = try PrivateFolder(in: parent.url)
        let left = parent.file("kinema-studio-\(RandomID.make())")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try Data("v".utf8).write(to: left.appending(path: "video"))
        let other = parent.file("kinema-studio-films")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        // The next studio takes it away when it starts, whether anybody uploads or not.
        let store = UploadStore(limits: StudioLimits(), in: parent.url)
        #expect(!FileManager.default.fileExists(atPath: left.path))
        let next = try PrivateFolder(in: parent.url)
        for folder in [running.url, next.url, other] { #expect(FileManager.default.fileExists(atPath: folder.path)) }
        withExtendedLifetime(store) {}
    }

    @Test func `a leftover that is a link or owned by another user stays`() throws {
        let parent = try TemporaryFolder()
        let target = parent.file("precious")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        try Data("v".utf8).write(to: target.appending(path: "video"))
        let link = parent.file("kinema-studio-\(RandomID.make())")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let left = parent.file("kinema-studio-\(RandomID.make())")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: left.appending(path: "video"), withDestinationURL: target)
        let others = parent.file("kinema-studio-\(RandomID.make())")
        try FileManager.default.createDirectory(at: others, withIntermediateDirectories: true)
        // Only root can give a folder away.
        let isGiven = chown(others.path, 65_534, 65_534) == 0
        PrivateFolder.removeLeftovers(in: parent.url)
        #expect(FileManager.default.fileExists(atPath: target.appending(path: "video").path))
        #expect(FileManager.default.fileExists(atPath: link.path))
        #expect(!FileManager.default.fileExists(atPath: left.path))
        #expect(FileManager.default.fileExists(atPath: others.path) == isGiven)
    }

    @Test func `the folder goes with the studio`() async throws {
        let parent = try TemporaryFolder()
        let store = UploadStore(limits: StudioLimits(), in: parent.url)
        let (upload, file) = try await store.begin(name: "clip")
        try file.close()
        await store.complete(upload)
        #expect(await store.upload(upload.id) == upload)
        await store.removeAll()
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.url.path) == [])
        #expect(await store.upload(upload.id) == nil)
    }

    @Test func `an upload that is still coming in is not there yet`() async throws {
        let parent = try TemporaryFolder()
        let store = UploadStore(limits: StudioLimits(), in: parent.url)
        let (upload, file) = try await store.begin(name: "clip")
        #expect(await store.upload(upload.id) == nil)
        try file.close()
    }

    @Test(arguments: [
        ("clip.mp4", "clip.mp4"), ("/etc/passwd", "passwd"), ("C:\\a\\b.mov", "b.mov"), ("..", "video"), ("", "video"),
        ("a\u{202E}b\u{1B}[2Jc", "ab[2Jc"), ("Übung 1.mp4", "Übung 1.mp4"),
        // 255 bytes at most, and no half a letter.
        (String(repeating: "a", count: 300), String(repeating: "a", count: 255)),
        (String(repeating: "ü", count: 128), String(repeating: "ü", count: 127)),
        ("a" + String(repeating: "🏋️", count: 60), "a" + String(repeating: "🏋️", count: 36)),
    ]) func `a name is shown without its path and without what moves the cursor`(given: String, shown: String) {
        #expect(StudioUpload.displayName(given) == shown)
    }
}
