import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

/// What is no regular file, or too large a one, is refused in one line; nothing waits.
struct BoundedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ name: String, _ count: Int) throws -> URL {
        try Data((0..<count).map { UInt8(truncatingIfNeeded: $0) }).write(to: folder.file(name))
        return folder.file(name)
    }

    private func refusal(_ url: URL, limit: Int = 1 << 20, excess: String? = nil) -> KinemaError? {
        #expect(throws: KinemaError.self) {
            try BoundedFile.read(url, limit: limit, remedy: "give another", excess: excess)
        }
    }

    @Test(arguments: [0, 1, 4096, 70_000, 200_001]) func `a file up to the limit is read whole`(count: Int) throws {
        let url = try file("a", count)
        let expected = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try BoundedFile.read(url, limit: count) == expected)
        #expect(try BoundedFile.read(url, limit: .max) == expected)
        #expect(BoundedFile.size(of: url) == count)
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: url)
        #expect(try BoundedFile.read(folder.file("link"), limit: count) == expected)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (99, "99 bytes"), (64 << 10, "64 KiB"), (1 << 20, "1 MiB"),
    ]) func `one byte more than the limit is refused`(limit: Int, text: String) throws {
        let error = refusal(try file("a", limit + 1), limit: limit)
        #expect(error?.code == .unreadableInput && error?.message == "is larger than \(text); give another")
        let other = refusal(folder.file("a"), limit: limit, excess: "split it")
        #expect(other?.message == "is larger than \(text); split it")
    }

    @Test func `what is no file is refused before a byte is read`() throws {
        #expect(mkfifo(folder.file("pipe").path, 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            at: folder.file("link"), withDestinationURL: URL(filePath: "/dev/zero"))
        for url in [URL(filePath: "/dev/zero"), folder.file("pipe"), folder.url, folder.file("link")] {
            let error = refusal(url)
            #expect(error?.code == .unreadableInput && error?.message == "is not a file; give another", "\(url.path)")
            #expect(error?.file == url.path && BoundedFile.size(of: url) == nil)
        }
    }

    @Test func `what is not there says so`() throws {
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("gone"))
        for url in [folder.file("gone"), folder.file("link"), try file("a", 1).appending(path: "b")] {
            #expect(refusal(url)?.message == "no such file; give another", "\(url.path)")
            #expect(BoundedFile.size(of: url) == nil)
        }
    }

    /// The system's own texts say that they hold nothing, as a file does that grows while it is read.
    @Test func `a file that holds more than it said is read on, up to the limit`() throws {
        let url = URL(filePath: "/proc/self/limits")
        #expect(BoundedFile.size(of: url) == 0)
        let bytes = try BoundedFile.read(url, limit: 1 << 16)
        #expect(String(decoding: bytes, as: UTF8.self).contains("Max open files"))
        #expect(try BoundedFile.read(url, limit: bytes.count) == bytes)
        #expect(refusal(url, limit: bytes.count - 1)?.message.hasPrefix("is larger than") == true)
    }
}
