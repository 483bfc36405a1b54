import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

/// Files appear whole, and nothing that is no file is replaced by one.
struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func kind(_ name: String) throws -> FileAttributeType? {
        try FileManager.default.attributesOfItem(atPath: folder.file(name).path)[.type] as? FileAttributeType
    }

    @Test func `a file is made and replaced`() throws {
        for text in ["one", "another", ""] {
            try AtomicFile.write(text.utf8, to: folder.file("a.txt"))
            #expect(try String(contentsOf: folder.file("a.txt"), encoding: .utf8) == text)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.txt"])
    }

    @Test func `a link stays a link`() throws {
        try Data("old".utf8).write(to: folder.file("a.txt"))
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("a.txt"))
        try AtomicFile.write("new".utf8, to: folder.file("link"))
        #expect(try kind("link") == .typeSymbolicLink)
        #expect(try String(contentsOf: folder.file("a.txt"), encoding: .utf8) == "new")
    }

    @Test func `a link that leads nowhere is named as one`() throws {
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("gone"))
        let error = #expect(throws: KinemaError.self) { try AtomicFile.write("new".utf8, to: folder.file("link")) }
        #expect(error?.code == .unwritableOutput && error?.message.hasPrefix("is a link to a file that") == true)
    }

    /// A pipe stands for every device: whoever runs as root must not lose `/dev/null`.
    @Test(arguments: ["pipe", "link"]) func `what is no file is written to not replaced`(name: String) async throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: pipe)
        // Open both ways: neither opening nor writing waits for the other side.
        let descriptor = open(pipe.path, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        try AtomicFile.write("through".utf8, to: folder.file(name))
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &bytes, bytes.count)
        #expect(count == 7 && bytes.starts(with: Array("through".utf8)))
        #expect(
            try kind(name) == (name == "link" ? .typeSymbolicLink : .typeUnknown)
                && FileManager.default.fileExists(atPath: pipe.path))
        #expect(try kind("pipe") != .typeRegular)
    }

    @Test(arguments: [("", "folder"), ("no/where", "does not exist"), ("a.txt/b", "does not exist")])
    func `what cannot be written says why`(name: String, words: String) throws {
        try Data("old".utf8).write(to: folder.file("a.txt"))
        let error = #expect(throws: KinemaError.self) { try AtomicFile.write("new".utf8, to: folder.file(name)) }
        #expect(error?.code == .unwritableOutput && error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `a full disk is said`() {
        let error = #expect(throws: KinemaError.self) {
            try AtomicFile.write("new".utf8, to: URL(filePath: "/dev/full"))
        }
        #expect(error?.message.contains("disk is full") == true, "\(error?.message ?? "")")
    }
}
