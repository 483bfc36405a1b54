import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

struct LineFileTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("deep/lines") }

    init() throws { folder = try TemporaryFolder() }

    private func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

    @Test(arguments: [("", ""), ("a\n", "a\n"), ("a\nb", "a\n"), ("b", "")])
    func `half a line that was left is cut off before the next`(left: String, kept: String) throws {
        try FileManager.default.createDirectory(at: folder.file("deep"), withIntermediateDirectories: true)
        try Data(left.utf8).write(to: url)
        var file = LineFile(url)
        #expect(try !file.append("c\n".utf8) && text() == kept + "c\n")
        #expect(try !file.append("d\n".utf8, synchronizes: true) && text() == kept + "c\nd\n")
    }

    @Test func `lines go where the path leads`() throws {
        var file = LineFile(url)
        try file.append("a\n".utf8)
        try FileManager.default.removeItem(at: folder.file("deep"))
        #expect(try file.append("b\n".utf8) && text() == "b\n")
        try FileManager.default.moveItem(at: url, to: folder.file("rotated"))
        #expect(try file.append("c\n".utf8) && text() == "c\n")
        try FileHandle(forWritingTo: url).truncate(atOffset: 0)
        #expect(try !file.append("d\n".utf8) && text() == "d\n")
    }

    @Test func `a link, a pipe and a folder are refused`() throws {
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("other"))
        mkfifo(folder.file("pipe").path, 0o600)
        for name in ["link", "pipe", ""] {
            var file = LineFile(folder.file(name))
            let error = #expect(throws: KinemaError.self) { try file.append("a\n".utf8) }
            #expect(error?.code == .unwritableOutput)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("other").path))
    }
}
