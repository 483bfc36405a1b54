import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaMedia

/// Files of other kinds are refused by what they are.
struct ForeignFileTests {
    @Test(
        arguments: [
            (Array("PAR1\u{15}\u{4}".utf8), "Parquet"), (Array("PK\u{3}\u{4}xl/".utf8), "zip"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0], "xz"), ([0x89, 0x48, 0x44, 0x46, 13, 10], "HDF5"),
            (Array("HIERARCHY\nROOT".utf8), "BVH"), ([2, 0x50, 19, 0], "C3D"), ([0x80, 0x04, 0x95, 0], "pickle"),
            ([0xFF, 0xFE, 0x66, 0], "UTF-16"), (Array("version https://git-lfs.github.com".utf8), "Git LFS"),
        ] as [([UInt8], String)]) func `a file is named by its first bytes`(bytes: [UInt8], words: String) async throws
    {
        let folder = try TemporaryFolder()
        let url = folder.file("t.bin")
        try Data(bytes + [UInt8](repeating: 0, count: 64)).write(to: url)
        for message in [
            ForeignFile.refusal(of: url)?.message,
            await #expect(throws: KinemaError.self) { _ = try await VideoReader.read(contentsOf: url) }?.message,
        ] {
            #expect(message?.contains(words) == true && message?.contains("markers (.trc)") == true, "\(message ?? "")")
        }
    }

    @Test func `videos and pictures are not`() {
        for head in ["\0\0\0\u{18}ftypisom", "RIFF....AVI ", "\u{89}PNG\r\n", "P6 4 4 255", "GIF89a"] {
            #expect(ForeignFile.name(Array(head.utf8)) == nil)
        }
    }

    @Test func `a folder without poses is one`() throws {
        let folder = try TemporaryFolder()
        #expect(ForeignFile.refusal(of: folder.url)?.message.hasPrefix("is a folder; give a video") == true)
    }
}
