import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
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

    @Test(arguments: ["", "kinema"]) func `a folder that was removed is made again`(within: String) async throws {
        let parent = try TemporaryFolder()
        let place = parent.file("tmp")
        let store = UploadStore(limits: StudioLimits(), in: place)
        try? FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        var ids: [String] = []
        for _ in 0..<6 {
            let (upload, file) = try await store.begin(name: "clip")
            try file.close()
            ids.append(upload.id)
            #expect(FileManager.default.fileExists(atPath: upload.video.path))
            // As a cleaner of temporary files does, or with all above it.
            try FileManager.default.removeItem(at: within.isEmpty ? place : upload.folder.deletingLastPathComponent())
        }
        for id in ids { #expect(await store.upload(id) == nil) }
        // One that was removed while it came in is not reported as kept.
        let (upload, file) = try await store.begin(name: "clip")
        try file.close()
        try FileManager.default.removeItem(at: upload.folder)
        await #expect(throws: HTTPError.self) { try await store.complete(upload) }
    }

    @Test func `an address has a share of the uploads, and why one cannot be kept is told`() async throws {
        let parent = try TemporaryFolder()
        var limits = StudioLimits()
        (limits.uploads, limits.uploadsPerAddress) = (4, 2)
        let store = UploadStore(limits: limits, in: parent.url)
        for _ in 0..<2 { _ = try await store.begin(name: "clip", for: ClientAddress("10.0.0.1")) }
        func code(_ store: UploadStore, _ address: String) async -> String? {
            do {
                _ = try await store.begin(name: "clip", for: ClientAddress(address))
                return nil
            } catch { return (error as? HTTPError)?.code }
        }
        #expect(await code(store, "10.0.0.1") == "too-many-uploads")
        #expect(await code(store, "10.0.0.2") == nil)
        #expect(await code(store, "10.0.0.3") == "too-many-uploads")
        #expect(await code(store, "127.0.0.1") == nil)
        try Data().write(to: parent.file("tmp"))
        #expect(await code(UploadStore(limits: limits, in: parent.file("tmp")), "127.0.0.1") == "not-kept")
        let full = UploadStore(limits: limits, in: parent.url) { _ in throw POSIXError(.ENOSPC) }
        #expect(await code(full, "127.0.0.1") == "disk-full")
    }

    @Test func `a further upload waits for one that is done with, and not for those still being sent`() async throws {
        var limits = StudioLimits()
        (limits.uploads, limits.uploadsPerAddress) = (4, 1)
        let store = UploadStore(limits: limits, in: try TemporaryFolder().url)
        let client = ClientAddress("10.0.0.1")
        let (first, file) = try await store.beginInTurn(name: "clip", for: client)
        await #expect(throws: HTTPError.self) { try await store.beginInTurn(name: "clip", for: client) }
        try file.close()
        try await store.complete(first)
        let (second, _) = try await store.beginInTurn(name: "clip", for: client)
        #expect(second.id != first.id && second.displaced == ["clip"])
        #expect(await store.upload(first.id) == nil)
    }

    @Test func `a client sees its own uploads, and waits in a queue while there is no room`() async throws {
        var limits = StudioLimits()
        (limits.uploads, limits.uploadsPerAddress) = (16, 2)
        let store = UploadStore(limits: limits, in: try TemporaryFolder().url)
        let (client, other) = (ClientAddress("10.0.0.1"), ClientAddress("10.0.0.2"))
        let (first, second, third) = (UUID(), UUID(), UUID())
        #expect(await store.place(of: first, for: client) == 0)
        var ids: [String] = []
        for name in ["one.mp4", "two.mp4"] {
            let (upload, file) = try await store.beginInTurn(name: name, for: client, ticket: first)
            try file.write(contentsOf: Data(repeating: 1, count: 1000))
            try file.close()
            ids.append(upload.id)
        }
        let listed = await store.list(for: client)
        #expect(listed.map(\.name) == ["two.mp4", "one.mp4"])
        #expect(listed.allSatisfy { $0.bytes == 1000 && $0.isNeeded })
        #expect(await store.list(for: other).isEmpty)
        // Two are worked with, of which one may already be analysed.
        #expect(await store.place(of: second, for: client) == 2)
        #expect(await store.place(of: third, for: client) == 3)
        #expect(await store.place(of: second, for: client) == 2)
        // Who has room does not wait for those who have none.
        #expect(await store.place(of: UUID(), for: other) == 0)
        await store.remove(ids[0])
        #expect(await store.place(of: third, for: client) > 0)
        #expect(await store.place(of: second, for: client) == 0)
        _ = try await store.beginInTurn(name: "three.mp4", for: client, ticket: second)
        #expect(await store.place(of: third, for: client) == 2)
    }

    @Test func `who asks no more loses the place in the queue`() {
        var queue = UploadQueue()
        let (now, client) = (ContinuousClock.now, ClientAddress("10.0.0.1"))
        let (first, second) = (UUID(), UUID())
        #expect(queue.ahead(of: first, client, at: now).isEmpty)
        #expect(queue.ahead(of: second, client, at: now + .seconds(15)).count == 1)
        #expect(queue.ahead(of: second, client, at: now + .seconds(25)).isEmpty)
        #expect(queue.ahead(of: first, client, at: now + .seconds(26)).count == 1)
    }

    @Test func `the folder goes with the studio`() async throws {
        let parent = try TemporaryFolder()
        let store = UploadStore(limits: StudioLimits(), in: parent.url)
        let (upload, file) = try await store.begin(name: "clip")
        try file.close()
        try await store.complete(upload)
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
